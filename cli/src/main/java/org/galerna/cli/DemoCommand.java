package org.galerna.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.galerna.bench.demo.Demo;
import org.galerna.bench.demo.DemoOptions;
import org.galerna.cli.options.HostOptions;
import org.galerna.cli.options.OutputPath;
import org.galerna.cli.usage.UsageException;
import org.galerna.cli.usage.Version;
import org.galerna.launch.process.LaunchException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code galerna demo}: a simulation to watch. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description =
                "Simulates an electromagnetic wave in a harbour on 1, 2 and 4 ranks. Checks that all results are equal bit for "
                        + "bit, and writes a picture, the energy over time, and a table of times.",
        subcommands = CosmologyDemoCommand.class)
final class DemoCommand implements Callable<Integer> {
    private static final int MOST_RANKS = 256;

    @Option(
            names = "--parameters",
            paramLabel = "FILE",
            description = "file that says what to simulate; default: the harbour, which you find in the output folder")
    private @Nullable Path parameters;

    @Option(
            names = "--output",
            paramLabel = "FOLDER",
            description = "folder for pictures and tables; default: ${DEFAULT-VALUE}")
    private Path output = DemoOptions.DEFAULT_OUTPUT_FOLDER;

    @Option(
            names = "--frames",
            paramLabel = "N",
            description = "also write an animation of this many pictures; default: ${DEFAULT-VALUE}")
    private int frames;

    @Option(
            names = "--ranks",
            paramLabel = "N",
            split = ",",
            description = "numbers of ranks, separated by commas; default: 1,2,4")
    private List<Integer> ranks = DemoOptions.DEFAULT_RANKS;

    @Mixin
    private HostOptions hostOptions = new HostOptions();

    @Option(names = "--quick", description = "do a small part of the work, to see that everything works")
    private boolean quick;

    @Override
    public Integer call() {
        if (parameters != null && !Files.isReadable(parameters)) {
            throw new UsageException("--parameters " + parameters + " cannot be read"
                    + (Files.exists(parameters) ? "" : ": there is no such file"));
        }
        if (frames < 0) {
            throw new UsageException("--frames takes a number from 0, not " + frames);
        }
        ranks.stream().filter(number -> number < 1).findFirst().ifPresent(number -> {
            throw new UsageException("--ranks takes numbers from 1, not " + number);
        });
        int most = Collections.max(ranks);
        if (most > MOST_RANKS) {
            throw new UsageException("--ranks takes numbers to " + MOST_RANKS + " here, not " + most);
        }
        OutputPath.checkFolder("--output", output);
        return Demo.run(
                new DemoOptions(Optional.ofNullable(parameters), output, frames, ranks, processes(hostOptions), quick));
    }

    /** Where ranks run if these options ask for processes. */
    static Optional<DemoOptions.Processes> processes(HostOptions hostOptions) {
        try {
            return hostOptions.namesProcesses()
                    ? Optional.of(new DemoOptions.Processes(hostOptions.hosts(), hostOptions.sshCommand()))
                    : Optional.empty();
        } catch (LaunchException wrong) {
            throw new UsageException(wrong.reason());
        }
    }
}
