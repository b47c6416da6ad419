package org.galerna.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.galerna.applications.ProgramException;
import org.galerna.applications.nas.Nas;
import org.galerna.cli.run.RunCommand;
import org.galerna.cli.usage.UsageException;
import org.galerna.cli.usage.Version;
import org.galerna.launch.GalernaPath;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Unmatched;

/** {@code galerna nas}: a kernel of the NAS Parallel Benchmarks. */
@Command(
        name = "nas",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description =
                "Runs a kernel of the NAS Parallel Benchmarks, and compares what it computes with the published values: cg "
                        + "(conjugate gradients), ep (random pairs), ft (Fourier transform), is (integer sort) or mg (multigrid).",
        customSynopsis = "galerna nas KERNEL [--class S|W|A|B|C|D] [-n RANKS] [OPTION...]",
        footer = {
            "",
            "You can also give the options of galerna run: -n, --device, --procs, --hosts, --launcher, -J ... The default is "
                    + "one rank.",
            "",
            "Exit status: 0 if the values are the published ones; 1 if not.",
            "",
            "Examples:",
            "  galerna nas cg --class A -n 2",
            "  galerna nas ft --class B -n 4 --procs",
            "  galerna nas mg --class A --threads 2"
        })
final class NasCommand implements Callable<Integer> {
    private static final String COLLECTOR = "-XX:\\+Use\\w+GC";

    @Option(
            names = "--class",
            paramLabel = "LETTER",
            description = "size of the problem: S, W, A, B, C or D; default: ${DEFAULT-VALUE}")
    private String size = "S";

    @Option(
            names = "--threads",
            paramLabel = "T",
            description = "threads of each rank, which share its memory; default: ${DEFAULT-VALUE}")
    private int threads = 1;

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            description =
                    "least time of work that is not timed, so that the compiler is done with it; it takes up to five times as "
                            + "long if it is not; default: 3 from class A on")
    private @Nullable String warmUp;

    @Unmatched
    private List<String> optionsOfRun = new ArrayList<>();

    @Override
    public Integer call() throws IOException, InterruptedException {
        RunCommand given = RunCommand.parse("galerna nas", optionsOfRun);
        if (given.words().isEmpty()) {
            throw new UsageException("a kernel is missing: give one of " + String.join(", ", Nas.kernels()));
        }
        if (given.words().size() > 1) {
            throw new UsageException("\"" + given.words().get(1) + "\" is one argument too many");
        }
        String kernel = given.words().getFirst();
        int ranks = given.ranks().orElse(1);
        try {
            Nas.check(kernel, size, ranks, threads);
        } catch (ProgramException wrong) {
            throw new UsageException(String.valueOf(wrong.getMessage()));
        }
        List<String> words = new ArrayList<>();
        boolean collectorIsGiven = optionsOfRun.stream().anyMatch(option -> option.matches("(-J)?" + COLLECTOR));
        Nas.jvmOptions(given.areProcesses() ? ranks : 1).stream()
                .filter(option -> !collectorIsGiven || !option.matches(COLLECTOR))
                .forEach(option -> words.add("-J" + option));
        words.addAll(optionsOfRun);
        words.remove(kernel);
        if (given.ranks().isEmpty()) {
            words.addAll(List.of("-n", "1"));
        }
        words.addAll(List.of("-cp", GalernaPath.classPath(), "--", Nas.class.getName(), kernel));
        words.addAll(List.of("--class", size, "--threads", Integer.toString(threads)));
        if (warmUp != null) {
            words.addAll(List.of("--warm-up", warmUp));
        }
        return RunCommand.parse("galerna nas", words).call();
    }
}
