package org.galerna.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import mpi.MPI;

/**
 * Talks to all other ranks in short and long messages; then rank 0 says how much of its process and of shared memory was taken for
 * that: {@code bytes}, {@code files}, {@code threads}.
 */
public final class FootprintProgram {
    private static final int LONG = 300_000;
    private static final Pattern MAPPED = Pattern.compile("([0-9a-f]+)-([0-9a-f]+) .* (/dev/shm/galerna-\\S+).*");

    private FootprintProgram() {}

    public static void main(String[] args) throws IOException {
        Set<String> filesBefore = openFiles();
        Set<Long> threadsBefore = threads();
        MPI.Init(args);
        talk();
        MPI.COMM_WORLD.Barrier();
        if (MPI.COMM_WORLD.Rank() == 0) {
            Set<String> files = openFiles();
            files.removeAll(filesBefore);
            Set<Long> threads = threads();
            threads.removeAll(threadsBefore);
            System.out.println("bytes " + sharedBytes() + " files " + files.size() + " threads " + threads.size());
        }
        MPI.COMM_WORLD.Barrier();
        MPI.Finalize();
    }

    private static void talk() {
        int rank = MPI.COMM_WORLD.Rank();
        int size = MPI.COMM_WORLD.Size();
        byte[] received = new byte[LONG];
        for (int round = 0; round < 40; round++) {
            int bytes = round % 20 == 0 ? LONG : 8;
            for (int distance = 1; distance < size; distance++) {
                int to = (rank + distance) % size;
                int from = (rank + size - distance) % size;
                MPI.COMM_WORLD.Sendrecv(
                        new byte[LONG], 0, bytes, MPI.BYTE, to, 1, received, 0, bytes, MPI.BYTE, from, 1);
            }
        }
    }

    /** Sockets, selectors, and what lies in shared memory; the virtual machine opens archives of classes as it goes. */
    private static Set<String> openFiles() throws IOException {
        Set<String> files = new HashSet<>();
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            for (Path descriptor : descriptors.toList()) {
                String target = target(descriptor);
                if (target.startsWith("socket:")
                        || target.startsWith("anon_inode:")
                        || target.startsWith("/dev/shm/")) {
                    files.add(descriptor.getFileName() + " " + target);
                }
            }
        }
        return files;
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException closedMeanwhile) {
            return "";
        }
    }

    private static Set<Long> threads() {
        Set<Long> threads = new HashSet<>();
        Thread.getAllStackTraces().keySet().stream()
                .filter(each -> each.getName().startsWith("galerna-"))
                .forEach(each -> threads.add(each.threadId()));
        return threads;
    }

    /** Of what rank 0 has mapped: what leads to it, what it fetches through, and what all ranks have. */
    private static long sharedBytes() throws IOException {
        List<String> counted = new ArrayList<>();
        long bytes = 0;
        for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
            Matcher mapped = MAPPED.matcher(line);
            if (mapped.matches()) {
                String name = mapped.group(3);
                boolean leadsHere = name.matches(".*(frames-\\d+-0\\.\\d+|transfers-0-\\d+|queue-0|board|rank-0).*");
                if (leadsHere) {
                    counted.add(name);
                    bytes += Long.parseLong(mapped.group(2), 16) - Long.parseLong(mapped.group(1), 16);
                }
            }
        }
        System.err.println(counted);
        return bytes;
    }
}
