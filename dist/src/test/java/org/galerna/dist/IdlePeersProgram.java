package org.galerna.dist;

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import mpi.MPI;

/**
 * What the ranks of {@link IdlePeersTest} run: rank 0 talks to all others, which talk to nobody else. Each says how many
 * connections it has, by what the system knows of the process, and rank 0 what they have cost.
 */
public final class IdlePeersProgram {
    private static final byte[] MESSAGE = new byte[8];

    private IdlePeersProgram() {}

    /** Says {@code connections N} and, on rank 0, {@code bytes N} for each peer. */
    public static void main(String[] arguments) throws IOException {
        MPI.Init(arguments);
        int rank = MPI.COMM_WORLD.Rank();
        int size = MPI.COMM_WORLD.Size();
        boolean sockets = arguments[0].equals("niodev");
        if (rank == 0) {
            exchange(1); // what everybody needs is there before it is measured
            long before = heap() + mapped() + buffers();
            for (int peer = 2; peer < size; peer++) {
                exchange(peer);
            }
            if (sockets) {
                fallSilent();
            }
            long each = (heap() + mapped() + buffers() - before) / (size - 2);
            System.out.println("bytes " + each);
            System.out.println("connections " + (sockets ? sockets() : queues()));
            for (int peer = 1; peer < size; peer++) {
                MPI.COMM_WORLD.Send(MESSAGE, 0, 0, MPI.BYTE, peer, 2);
            }
        } else {
            MPI.COMM_WORLD.Recv(MESSAGE, 0, 8, MPI.BYTE, 0, 1);
            MPI.COMM_WORLD.Send(MESSAGE, 0, 8, MPI.BYTE, 0, 1);
            MPI.COMM_WORLD.Recv(MESSAGE, 0, 0, MPI.BYTE, 0, 2); // until all have talked
            System.out.println("connections " + (sockets ? sockets() : queues()));
        }
        MPI.Finalize();
    }

    private static void exchange(int peer) {
        MPI.COMM_WORLD.Send(MESSAGE, 0, 8, MPI.BYTE, peer, 1);
        MPI.COMM_WORLD.Recv(MESSAGE, 0, 8, MPI.BYTE, peer, 1);
    }

    /** Makes progress for some seconds, after which connections that carry nothing have given their buffers back. */
    private static void fallSilent() {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
        while (System.nanoTime() - end < 0) {
            MPI.COMM_WORLD.Iprobe(MPI.ANY_SOURCE, 3);
            Thread.yield();
        }
    }

    private static long heap() {
        long least = Long.MAX_VALUE;
        for (int look = 0; look < 3; look++) {
            System.gc();
            Runtime runtime = Runtime.getRuntime();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return least;
    }

    /** Bytes of the files of rings that this process has mapped. */
    private static long mapped() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(line -> line.contains(".frames-"))
                    .mapToLong(IdlePeersProgram::length)
                    .sum();
        }
    }

    private static long length(String mapping) {
        String[] range = mapping.substring(0, mapping.indexOf(' ')).split("-");
        return Long.parseUnsignedLong(range[1], 16) - Long.parseUnsignedLong(range[0], 16);
    }

    /** Bytes outside the heap in buffers of the virtual machine's own. */
    private static long buffers() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .mapToLong(pool -> Math.max(0, pool.getMemoryUsed()))
                .sum();
    }

    /** Receive queues of others. */
    private static long queues() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(line -> line.contains(".queue-")).count() - 1;
        }
    }

    private static long sockets() throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors.filter(IdlePeersProgram::isConnected).count();
        }
    }

    private static boolean isConnected(Path descriptor) {
        try {
            String inode = Files.readSymbolicLink(descriptor).toString();
            if (!inode.startsWith("socket:[")) {
                return false;
            }
            String number = inode.substring("socket:[".length(), inode.length() - 1);
            for (String table : new String[] {"/proc/self/net/tcp", "/proc/self/net/tcp6"}) {
                try (Stream<String> lines = Files.lines(Path.of(table))) {
                    // fields: number, local and remote address, state (01: established), ..., inode as the tenth
                    if (lines.map(line -> line.strip().split("\\s+"))
                            .anyMatch(fields -> fields[3].equals("01") && fields[9].equals(number))) {
                        return true;
                    }
                }
            }
            return false;
        } catch (IOException closedMeanwhile) {
            return false;
        }
    }
}
