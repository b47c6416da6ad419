package org.galerna.cli.bench;

import java.util.ArrayList;
import java.util.List;
import org.galerna.bench.galerna.GalernaSystems;
import org.galerna.bench.suite.ContenderFactory;
import org.galerna.cli.options.SettingsCheck;
import org.galerna.cli.usage.UsageException;
import picocli.CommandLine.Option;

/** Where Galerna is measured. */
final class LevelOptions {
    @Option(
            names = "--level",
            paramLabel = "LEVEL",
            split = ",",
            description =
                    "levels of Galerna to measure, separated by commas: mpi (the public API), device (tagged messages "
                            + "below it), link (single frames below that); default: mpi")
    private List<String> levels = List.of("mpi");

    @Option(
            names = "--device",
            paramLabel = "DEVICE",
            split = ",",
            description = "also measure --level mpi on these devices, with each rank a process: shmdev, niodev, ...")
    private List<String> devices = List.of();

    /**
     * The levels, in the order in which they are named.
     *
     * @param threads that send at once in each rank; more than one is a matter of level mpi alone
     */
    List<ContenderFactory> levels(int threads) {
        List<ContenderFactory> factories = new ArrayList<>();
        for (String level : levels) {
            if (threads > 1 && !level.equals("mpi")) {
                throw new UsageException("--threads works with --level mpi only, not with " + level);
            }
            factories.add(
                    switch (level) {
                        case "mpi" -> GalernaSystems.mpi(threads);
                        case "device" -> GalernaSystems.device();
                        case "link" -> GalernaSystems.link();
                        default ->
                            throw new UsageException("--level takes mpi, device and link, not \"" + level + "\"");
                    });
        }
        for (String device : devices) {
            SettingsCheck.checkDevice("--device", device);
            SettingsCheck.checkReach("--device", device, false);
        }
        devices.forEach(device -> factories.add(GalernaSystems.processes(device)));
        return factories;
    }
}
