package org.galerna.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Request;

/**
 * What programs of many ranks do, each result checked. Argument: {@code few} leaves out what every rank does with every
 * other, and {@code pairs} adds messages between all of them.
 * Rank 0 prints the most memory that its process has had, in MiB.
 */
public final class ManyRanksProgram {
    private static final int GROUPS = 32;

    private final Intracomm world = MPI.COMM_WORLD;
    private final int rank;
    private final int size;

    private ManyRanksProgram() {
        rank = world.Rank();
        size = world.Size();
    }

    public static void main(String[] args) throws IOException {
        String[] arguments = MPI.Init(args);
        ManyRanksProgram program = new ManyRanksProgram();
        program.all();
        if (!arguments[0].equals("few")) {
            program.alltoall();
            program.split();
        }
        if (arguments[0].equals("pairs")) {
            program.exchange();
        }
        program.ring();
        MPI.COMM_WORLD.Barrier();
        if (program.rank == 0) {
            System.out.println("passed with " + mostMemory() + " MiB");
        }
        MPI.Finalize();
    }

    private static long mostMemory() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
                .findFirst()
                .orElse(-1);
    }

    private static void expect(String what, long found, long expected) {
        if (found != expected) {
            throw new AssertionError(what + ": " + found + " instead of " + expected);
        }
    }

    private void all() {
        world.Barrier();
        int[] sum = new int[1];
        world.Allreduce(new int[] {rank + 1}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
        expect("sum", sum[0], size * (size + 1L) / 2);
    }

    private void alltoall() {
        int[] received = new int[size];
        world.Alltoall(numbered(), 0, 1, MPI.INT, received, 0, 1, MPI.INT);
        check("alltoall", received);
    }

    private int[] numbered() {
        int[] numbers = new int[size];
        for (int other = 0; other < size; other++) {
            numbers[other] = rank * size + other;
        }
        return numbers;
    }

    private void check(String what, int[] received) {
        for (int other = 0; other < size; other++) {
            expect(what + " from " + other, received[other], (long) other * size + rank);
        }
    }

    /** Without a collective, so that every pair of ranks talks. */
    private void exchange() {
        int[] sent = numbered();
        int[] received = new int[size];
        Request[] requests = new Request[2 * size];
        for (int other = 0; other < size; other++) {
            requests[other] = world.Irecv(received, other, 1, MPI.INT, other, 1);
        }
        for (int step = 0; step < size; step++) {
            int other = (rank + step) % size;
            requests[size + other] = world.Isend(sent, other, 1, MPI.INT, other, 1);
        }
        Request.Waitall(requests);
        check("exchange", received);
    }

    private void split() {
        Intracomm group = world.Split(rank % GROUPS, -rank);
        int[] first = {rank};
        group.Bcast(first, 0, 1, MPI.INT, 0);
        expect("first of the group", first[0], last(rank % GROUPS));
        group.Free();
    }

    private int last(int color) {
        int members = (size - color + GROUPS - 1) / GROUPS;
        return color + (members - 1) * GROUPS;
    }

    private void ring() {
        int[] received = new int[1];
        for (int round = 0; round < 3; round++) {
            world.Sendrecv(
                    new int[] {rank + round},
                    0,
                    1,
                    MPI.INT,
                    (rank + 1) % size,
                    2,
                    received,
                    0,
                    1,
                    MPI.INT,
                    (rank + size - 1) % size,
                    2);
            expect("from the rank before", received[0], (rank + size - 1L) % size + round);
        }
    }
}
