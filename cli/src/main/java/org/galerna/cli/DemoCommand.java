package org.galerna.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.galerna.bench.demo.Demo;
import org.galerna.bench.demo.DemoOptions;
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
                "Simulates an electromagnetic wave in a harbour on 1, 2 and 4 ranks, checks that all results are equal "
                        + "bit for bit, and leaves a picture, the energy over time, and a table of times.")
final class DemoCommand implements Callable<Integer> {
    @Option(
            names = "--parameters",
            paramLabel = "FILE",
            description = "what to simulate; default: the harbour, which is copied to the output folder to be changed")
    private @Nullable Path parameters;

    @Option(
            names = "--output",
            paramLabel = "FOLDER",
            description = "where pictures and tables go; default: ${DEFAULT-VALUE}")
    private Path output = DemoOptions.DEFAULT_OUTPUT_FOLDER;

    @Option(
            names = "--frames",
            paramLabel = "N",
            description = "leave an animation of so many pictures too; default: ${DEFAULT-VALUE}")
    private int frames;

    @Option(
            names = "--ranks",
            paramLabel = "N",
            split = ",",
            description = "numbers of ranks to run on, separated by commas; default: 1,2,4")
    private List<Integer> ranks = DemoOptions.DEFAULT_RANKS;

    @Mixin
    private HostOptions hostOptions = new HostOptions();

    @Option(names = "--quick", description = "a small part of the work, to see that everything runs")
    private boolean quick;

    @Override
    public Integer call() {
        if (parameters != null && !Files.isReadable(parameters)) {
            throw new UsageException("--parameters cannot be read: " + parameters);
        }
        if (frames < 0 || ranks.stream().anyMatch(number -> number < 1)) {
            throw new UsageException("--frames is not negative, and --ranks are at least 1");
        }
        return Demo.run(new DemoOptions(Optional.ofNullable(parameters), output, frames, ranks, processes(), quick));
    }

    private Optional<DemoOptions.Processes> processes() {
        try {
            return hostOptions.namesProcesses()
                    ? Optional.of(new DemoOptions.Processes(hostOptions.hosts(), hostOptions.sshCommand()))
                    : Optional.empty();
        } catch (LaunchException wrong) {
            throw new UsageException(wrong.reason());
        }
    }
}
