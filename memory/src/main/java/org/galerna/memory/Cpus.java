package org.galerna.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.OptionalInt;
import org.galerna.nativeaccess.thread.Affinity;

/** The processors that this process may use. */
public final class Cpus {
    private static final int AVAILABLE = Runtime.getRuntime().availableProcessors();

    private static final Path CPUS = Path.of("/sys/devices/system/cpu");

    private Cpus() {}

    /**
     * Number of processors, with the limits of containers and affinity masks taken into account; as many as the thread may
     * use that asks first. So whoever binds a thread to a processor asks before.
     */
    public static int available() {
        return AVAILABLE;
    }

    /** Number of processors of this machine, also those that this process may not use. */
    public static int ofMachine() {
        try {
            return Math.max(
                    AVAILABLE,
                    CpuList.parse(Files.readString(CPUS.resolve("online"))).cardinality());
        } catch (IOException | IllegalArgumentException unknown) {
            return AVAILABLE;
        }
    }

    /**
     * The processors that the calling thread may run on, by their numbers. Where a container may not use as many at a time,
     * the first so many of them.
     */
    public static BitSet ofCaller() {
        int usable = Runtime.getRuntime().availableProcessors();
        BitSet mask = Affinity.instance()
                .map(affinity -> affinity.get(Affinity.CALLER))
                .orElseGet(BitSet::new);
        if (mask.isEmpty()) {
            mask.set(0, usable);
        }
        while (mask.cardinality() > usable) {
            mask.clear(mask.length() - 1);
        }
        return mask;
    }

    /**
     * The package of processors, also called socket, that all of some processors are in; empty if they are in several, or if the
     * system does not tell. Reads as few files as tell that.
     */
    public static OptionalInt packageOf(BitSet processors) {
        return packageOf(processors, CPUS);
    }

    static OptionalInt packageOf(BitSet processors, Path cpus) {
        if (processors.isEmpty()) {
            return OptionalInt.empty();
        }
        try {
            int found = packageOf(
                    cpus, processors.length() - 1); // the last one is the likeliest to be in another than the first
            for (int cpu = processors.nextSetBit(0); cpu >= 0; cpu = processors.nextSetBit(cpu + 1)) {
                if (packageOf(cpus, cpu) != found) {
                    return OptionalInt.empty();
                }
            }
            return OptionalInt.of(found);
        } catch (IOException | NumberFormatException unknown) {
            return OptionalInt.empty();
        }
    }

    private static int packageOf(Path cpus, int cpu) throws IOException {
        return Integer.parseInt(Files.readString(cpus.resolve("cpu" + cpu + "/topology/physical_package_id"))
                .strip());
    }
}
