package org.galerna.cli.doctor;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import org.galerna.memory.CpuList;
import org.galerna.memory.Topology;
import org.galerna.nativeaccess.thread.Affinity;

/** Processors, memory, shared memory. */
final class MachineCheck {
    private static final long MEBIBYTE = 1 << 20;
    private static final long LITTLE_SHARED_MEMORY = 256 * MEBIBYTE;
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    private MachineCheck() {}

    static List<Finding> findings() {
        return List.of(processors(), topology(), binding(), memory(), sharedMemory());
    }

    private static Finding topology() {
        Topology topology = Topology.ofMachine();
        String value = String.join(
                ", ",
                count(topology.cores().size(), "core", "cores"),
                count(topology.sockets(), "socket", "sockets"),
                count(topology.l2Caches(), "L2 cache", "L2 caches"),
                count(topology.l3Caches(), "L3 cache", "L3 caches"),
                count(topology.nodes(), "NUMA node", "NUMA nodes"));
        String cpus = "Usable: " + CpuList.format(topology.mask()) + ". ";
        return Finding.good(
                "topology",
                value,
                cpus + "Up to " + count(topology.cores().size(), "rank has", "ranks have")
                        + " a core of their own; neighbouring ranks are close.");
    }

    private static String count(int number, String one, String many) {
        return number + " " + (number == 1 ? one : many);
    }

    private static Finding binding() {
        return Affinity.unavailable()
                .map(reason -> Finding.less("binding to cores", "not possible", reason + "."))
                .orElseGet(() -> Finding.good("binding to cores", "possible", ""));
    }

    private static Finding processors() {
        int cores = Runtime.getRuntime().availableProcessors();
        return cores > 1
                ? Finding.good("processors", String.valueOf(cores), "Up to " + cores + " ranks run at full speed.")
                : Finding.less("processors", "1", "Ranks take turns: programs run, and do not get faster with ranks.");
    }

    private static Finding memory() {
        long total = ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getTotalMemorySize();
        long heap = Runtime.getRuntime().maxMemory();
        return Finding.good(
                "memory",
                mebibytes(total) + " (container limits included)",
                "A job in one JVM gets a heap of " + mebibytes(heap)
                        + " for all its ranks; galerna run -Xmx... changes that.");
    }

    private static Finding sharedMemory() {
        String subject = SHARED_MEMORY.toString();
        if (!Files.isDirectory(SHARED_MEMORY)) {
            return Finding.less(subject, "missing", "Ranks that are processes cannot share memory.");
        }
        try {
            FileStore store = Files.getFileStore(SHARED_MEMORY);
            String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(SHARED_MEMORY));
            String value =
                    mebibytes(store.getUsableSpace()) + " free of " + mebibytes(store.getTotalSpace()) + ", " + mode;
            if (!Files.isWritable(SHARED_MEMORY)) {
                return Finding.less(subject, value, "Not writable: ranks that are processes cannot share memory.");
            }
            return store.getUsableSpace() < LITTLE_SHARED_MEMORY
                    ? Finding.less(
                            subject,
                            value,
                            "Little room for ranks that are processes; in a container, raise --shm-size.")
                    : Finding.good(subject, value, "Room for ranks that are processes to share memory.");
        } catch (IOException | UnsupportedOperationException unreadable) {
            return Finding.less(subject, "cannot be read: " + unreadable.getMessage(), "");
        }
    }

    private static String mebibytes(long bytes) {
        return String.format(Locale.ROOT, "%,d MiB", bytes / MEBIBYTE);
    }
}
