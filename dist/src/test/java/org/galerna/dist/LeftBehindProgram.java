package org.galerna.dist;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import mpi.MPI;

/** What the ranks of {@link LeftBehindIntegrationTest} run: they have sent each other messages, and stay. */
public final class LeftBehindProgram {
    /** Before the number of a process that stays. */
    static final String STAYS = "stays: ";

    private static final int LONG = 1 << 20;

    private LeftBehindProgram() {}

    /** Argument: {@code killed} if rank 0 is killed, {@code halt} if all halt, {@code stay} if none does either. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        MPI.Init(arguments);
        int rank = MPI.COMM_WORLD.Rank();
        int size = MPI.COMM_WORLD.Size();
        for (int bytes : new int[] {1, LONG}) {
            MPI.COMM_WORLD.Alltoall(
                    new byte[size * bytes], 0, bytes, MPI.BYTE, new byte[size * bytes], 0, bytes, MPI.BYTE);
        }
        long process = ProcessHandle.current().pid();
        System.out.println(STAYS + process);
        System.out.flush();
        MPI.COMM_WORLD.Barrier();
        switch (arguments[0]) {
            case "killed" -> {
                if (rank == 0) {
                    new ProcessBuilder("kill", "-s", "KILL", String.valueOf(process)).start();
                } else {
                    MPI.COMM_WORLD.Recv(new byte[1], 0, 1, MPI.BYTE, 0, 0);
                }
            }
            case "halt" -> Runtime.getRuntime().halt(0);
            default -> {}
        }
        new CountDownLatch(1).await();
    }
}
