package org.galerna.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import mpi.MPI;
import mpi.Request;
import org.galerna.testkit.Payload;

/**
 * What the ranks of {@link SoakTest} run: batches of messages of random sizes and tags both ways, received in another
 * order than they were sent, every byte checked. Arguments: seconds and a seed.
 */
public final class SoakProgram {
    private static final int MESSAGES = 20;

    private SoakProgram() {}

    /** Says {@code resident N}, in KiB, once a second, and {@code N rounds, N bytes} at the end. */
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
        for (int number = 0; number < MESSAGES; number++) {
            byte[] payload = Payload.of(Payload.seed(rank, number) + round, sizes[number]);
            sends.add(MPI.COMM_WORLD.Isend(payload, 0, sizes[number], MPI.BYTE, peer, firstTag + number));
        }
        for (int number : order) {
            byte[] received = new byte[sizes[number]];
            int source = number % 2 == 0 ? peer : MPI.ANY_SOURCE;
            MPI.COMM_WORLD.Recv(received, 0, received.length, MPI.BYTE, source, firstTag + number);
            Payload.difference(received, Payload.seed(peer, number) + round).ifPresent(wrong -> {
                throw new AssertionError("round " + round + ", message " + number + ": " + wrong);
            });
        }
        Request.Waitall(sends.toArray(Request[]::new));
        return bytes;
    }

    private static String resident() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .findFirst()
                .orElseThrow()
                .replaceAll("\\D", "");
    }
}
