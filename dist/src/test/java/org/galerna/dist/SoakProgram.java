package org.galerna.dist;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import mpi.MPI;
import mpi.Memory;
import mpi.Request;
import org.galerna.testkit.Payload;

/**
 * What the ranks of {@link SoakTest} run: batches of messages of random sizes and tags both ways, received in another
 * order than they were sent, every byte checked. A third of them is in memory outside the heap, which is new each time, so that what stays
 * registered of it would add up. Arguments: seconds and a seed.
 */
public final class SoakProgram {
    private static final int MESSAGES = 20;

    private SoakProgram() {}

    /**
     * Says {@code resident N}, in KiB, and {@code open N}, the number of files and segments that it has open, once a second, and {@code
     * N rounds, N bytes} at the end.
     */
    public static void main(String[] arguments) throws IOException {
        MPI.Init(arguments);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(arguments[0]));
        Random random = new Random(Long.parseLong(arguments[1])); // the same numbers on all ranks
        boolean[] goOn = {true};
        long round = 0;
        long bytes = 0;
        long nextLook = System.nanoTime();
        while (goOn[0]) {
            bytes += exchange(random, round++);
            goOn[0] = System.nanoTime() - end < 0;
            MPI.COMM_WORLD.Bcast(goOn, 0, 1, MPI.BOOLEAN, 0);
            if (System.nanoTime() - nextLook >= 0) {
                System.out.println("resident " + resident());
                System.out.println("open " + open());
                nextLook += TimeUnit.SECONDS.toNanos(1);
            }
        }
        MPI.Finalize();
        System.out.println(round + " rounds, " + bytes + " bytes");
    }

    private static long exchange(Random random, long round) {
        int rank = MPI.COMM_WORLD.Rank();
        int peer = 1 - rank;
        int[] sizes = new int[MESSAGES];
        List<Integer> order = new ArrayList<>();
        int bytes = 0;
        for (int number = 0; number < MESSAGES; number++) {
            sizes[number] = random.nextInt(1 << random.nextInt(21));
            order.add(random.nextInt(order.size() + 1), number);
            bytes += sizes[number];
        }
        int firstTag = random.nextInt(1 << 20);
        List<Request> sends = new ArrayList<>();
        List<Memory> memories = new ArrayList<>();
        try {
            for (int number = 0; number < MESSAGES; number++) {
                long seed = Payload.seed(rank, number) + round;
                Object payload;
                if (number % 3 == 0) {
                    MemorySegment memory = allocate(sizes[number], memories);
                    Payload.fill(memory, 0, sizes[number], seed);
                    payload = memory;
                } else {
                    payload = Payload.of(seed, sizes[number]);
                }
                sends.add(MPI.COMM_WORLD.Isend(payload, 0, sizes[number], MPI.BYTE, peer, firstTag + number));
            }
            for (int number : order) {
                int source = number % 2 == 0 ? peer : MPI.ANY_SOURCE;
                receive(number, sizes[number], source, firstTag + number, Payload.seed(peer, number) + round, memories)
                        .ifPresent(wrong -> {
                            throw new AssertionError("round " + round + ", message " + number + ": " + wrong);
                        });
            }
            Request.Waitall(sends.toArray(Request[]::new));
        } finally {
            memories.forEach(Memory::close);
        }
        return bytes;
    }

    private static MemorySegment allocate(int bytes, List<Memory> memories) {
        Memory memory = MPI.allocate(Math.max(1, bytes));
        memories.add(memory);
        return memory.segment();
    }

    private static Optional<String> receive(
            int number, int size, int source, int tag, long seed, List<Memory> memories) {
        if (number % 3 == 1) {
            MemorySegment memory = allocate(size, memories);
            MPI.COMM_WORLD.Recv(memory, 0, size, MPI.BYTE, source, tag);
            return Payload.difference(memory, 0, size, seed);
        }
        byte[] received = new byte[size];
        MPI.COMM_WORLD.Recv(received, 0, size, MPI.BYTE, source, tag);
        return Payload.difference(received, seed);
    }

    /** Open files, and segments of memory that others see, too. */
    private static long open() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"));
                Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
            return files.count()
                    + maps.filter(line -> line.contains(" /dev/shm/")).count();
        }
    }

    private static String resident() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .findFirst()
                .orElseThrow()
                .replaceAll("\\D", "");
    }
}
