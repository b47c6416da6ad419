package org.galerna.cli.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.galerna.bench.evaluation.Evaluation;
import org.galerna.bench.evaluation.EvaluationReport;
import org.galerna.bench.evaluation.NativeKernels;
import org.galerna.bench.evaluation.Part;
import org.galerna.cli.options.Folders;
import org.galerna.cli.options.QuickOption;
import org.galerna.cli.usage.TypedCommand;
import org.galerna.cli.usage.UsageException;
import org.galerna.cli.usage.Version;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code galerna bench evaluation}: the ratios that papers report, measured here. */
@Command(
        name = "evaluation",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description =
                "Measures the ratios that the papers on message passing in Java report, and prints them beside those of the "
                        + "papers: messages, NAS kernels, LU factorization, molecular dynamics, and the programs of the demo. "
                        + "Peers that cannot be had here have a row that says so.")
final class EvaluationCommand implements Callable<Integer> {
    private static final List<String> LETTERS = List.of("S", "W", "A", "B", "C");
    private static final int MOST_CORES = 1024;
    private static final int MOST_ROUNDS = 100;

    @Option(
            names = "--only",
            paramLabel = "PART",
            split = ",",
            description = "what to measure, separated by commas: ${COMPLETION-CANDIDATES}; default: all",
            completionCandidates = Parts.class)
    private List<String> only = List.of();

    @Option(
            names = "--npb",
            paramLabel = "FOLDER",
            description =
                    "folder of NASA's programs for one core, such as cg.A or cg.A.x, which you have built; they run in turns "
                            + "with Galerna's kernels")
    private @Nullable Path npb;

    @Option(
            names = "--npb-mpi",
            paramLabel = "FOLDER",
            description = "the same programs for MPI, built by Open MPI's compilers, such as cg.A.x or cg.A.2")
    private @Nullable Path npbMpi;

    @Option(names = "--npb-openmp", paramLabel = "FOLDER", description = "the same programs for OpenMP")
    private @Nullable Path npbOpenMp;

    @Option(
            names = "--class",
            paramLabel = "LETTER",
            description = "class of the NAS kernels: S, W, A, B or C; default: ${DEFAULT-VALUE}")
    private String letter = "A";

    @Option(
            names = "--cores",
            paramLabel = "N",
            split = ",",
            description =
                    "numbers of ranks and threads, separated by commas; default: the powers of two up to the processors of "
                            + "this machine. One core is always measured")
    private List<Integer> cores = powersOfTwo();

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "how often each program runs; the best counts; default: ${DEFAULT-VALUE}")
    private int rounds = 3;

    @Option(
            names = "--from",
            paramLabel = "FILE",
            split = ",",
            description = "measure nothing, but put together reports that you wrote with --json, part by part")
    private List<Path> from = List.of();

    @Mixin
    private final SummaryFiles files = new SummaryFiles();

    @Mixin
    private final QuickOption quick = new QuickOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    /** Names for the help. */
    static final class Parts implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(Part.values()).map(Part::word).iterator();
        }
    }

    private static List<Integer> powersOfTwo() {
        List<Integer> powers = new ArrayList<>();
        for (int number = 1; number <= Runtime.getRuntime().availableProcessors(); number *= 2) {
            powers.add(number);
        }
        return powers;
    }

    @Override
    public Integer call() {
        files.check();
        EvaluationReport report = from.isEmpty() ? measure() : together();
        Evaluation.print(report, System.out);
        files.write(report::writeJson, report::writePage);
        return 0;
    }

    private EvaluationReport together() {
        try {
            List<EvaluationReport> reports = new ArrayList<>();
            for (Path file : from) {
                reports.add(EvaluationReport.read(file));
            }
            return EvaluationReport.together(reports);
        } catch (IOException | IllegalArgumentException wrong) {
            throw new UsageException("--from: " + wrong.getMessage());
        }
    }

    private EvaluationReport measure() {
        NativeKernels natives =
                new NativeKernels(folder("--npb", npb), folder("--npb-mpi", npbMpi), folder("--npb-openmp", npbOpenMp));
        String size = letter.toUpperCase(Locale.ROOT);
        if (!LETTERS.contains(size)) {
            throw new UsageException("--class takes S, W, A, B or C here, not \"" + letter + "\"");
        }
        for (int number : cores) {
            if (number < 1 || number > MOST_CORES) {
                throw new UsageException("--cores takes numbers from 1 to " + MOST_CORES + ", not " + number);
            }
        }
        if (rounds < 1 || rounds > MOST_ROUNDS) {
            throw new UsageException("--rounds takes a number from 1 to " + MOST_ROUNDS + ", not " + rounds);
        }
        Evaluation evaluation = new Evaluation(
                new Evaluation.Options(
                        parts(),
                        natives,
                        quick.isGiven() ? "S" : size,
                        cores,
                        quick.isGiven() ? 1 : rounds,
                        quick.isGiven()),
                line -> System.err.println(line));
        return evaluation.run(TypedCommand.of(spec), Version.ofGalerna());
    }

    private List<Part> parts() {
        if (only.isEmpty()) {
            return List.of(Part.values());
        }
        return only.stream()
                .map(word -> Part.of(word)
                        .orElseThrow(() -> new UsageException("--only: there is no part \"" + word + "\", only "
                                + Arrays.stream(Part.values()).map(Part::word).collect(Collectors.joining(", ")))))
                .toList();
    }

    private static Optional<Path> folder(String option, @Nullable Path folder) {
        if (folder != null) {
            Folders.check(option, folder);
        }
        return Optional.ofNullable(folder);
    }
}
