package org.galerna.cli;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.galerna.bench.demo.CosmologyDemo;
import org.galerna.bench.demo.DemoOptions;
import org.galerna.cli.options.HostOptions;
import org.galerna.cli.options.OutputPath;
import org.galerna.cli.usage.UsageException;
import org.galerna.cli.usage.Version;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code galerna demo cosmology}: a universe to watch. */
@Command(
        name = "cosmology",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description =
                "Simulates how dark matter has gathered from the youth of the universe until today. Leaves a picture of the "
                        + "density, a film, and power spectra; the energies are checked. The result has the same bits on any "
                        + "number of ranks.")
final class CosmologyDemoCommand implements Callable<Integer> {
    private static final int MOST_RANKS = 256;
    private static final int MOST_FRAMES = 64;

    @Option(
            names = "--output",
            paramLabel = "FOLDER",
            description = "folder for pictures and tables; default: ${DEFAULT-VALUE}")
    private Path output = DemoOptions.DEFAULT_OUTPUT_FOLDER;

    @Option(
            names = {"-n", "--ranks"},
            paramLabel = "N",
            description = "number of ranks; default: one on each processor, at most 8")
    private int ranks;

    @Option(
            names = "--particles",
            paramLabel = "N",
            description = "particles along the box: 16, 32, 64, 128 or 256; default: ${DEFAULT-VALUE}")
    private int particles = 64;

    @Option(
            names = "--frames",
            paramLabel = "N",
            description = "pictures of the film, 0 for none; default: ${DEFAULT-VALUE}")
    private int frames = 48;

    @Mixin
    private HostOptions hostOptions = new HostOptions();

    @Option(names = "--quick", description = "do a small part of the work, to see that everything works")
    private boolean quick;

    @Override
    public Integer call() {
        if (ranks < 0 || ranks > MOST_RANKS) {
            throw new UsageException("--ranks takes a number from 1 to " + MOST_RANKS + " here, not " + ranks);
        }
        if (particles < 16 || particles > 256 || Integer.bitCount(particles) != 1) {
            throw new UsageException("--particles takes 16, 32, 64, 128 or 256, not " + particles);
        }
        if (frames < 0 || frames > MOST_FRAMES) {
            throw new UsageException("--frames takes a number from 0 to " + MOST_FRAMES + " here, not " + frames);
        }
        OutputPath.checkFolder("--output", output);
        Optional<DemoOptions.Processes> processes = DemoCommand.processes(hostOptions);
        return CosmologyDemo.run(
                new CosmologyDemo.Options(output, ranks, particles, frames, processes, quick), System.out);
    }
}
