package org.galerna.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.IntStream;
import org.galerna.launch.report.ExitStatus;
import org.galerna.testkit.process.Programs;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls that block, and calls that are made until they find something, in tasks of the common pool, which ranks that are threads share. */
@Timeout(120)
class CommonPoolTest {
    /** More than the pool has threads. */
    private static final int RANKS = Runtime.getRuntime().availableProcessors() + 2;

    @TempDir
    static Path folder;

    @BeforeAll
    static void compile() {
        Programs.compile(folder, """
                import java.util.concurrent.CompletableFuture;
                import java.util.concurrent.locks.LockSupport;
                import mpi.*;

                public class Main {
                    public static void main(String[] args) throws Exception {
                        if (args[0].equals("all")) {
                            CompletableFuture.runAsync(() -> MPI.Init(args)).get();
                        } else {
                            MPI.Init(args);
                        }
                        int rank = MPI.COMM_WORLD.Rank();
                        int size = MPI.COMM_WORLD.Size();
                        CompletableFuture.runAsync(() -> {
                            switch (args[0]) {
                                case "barrier" -> MPI.COMM_WORLD.Barrier();
                                case "receive" -> {
                                    int[] token = {0};
                                    if (rank < size - 1) {
                                        MPI.COMM_WORLD.Recv(token, 0, 1, MPI.INT, rank + 1, 7);
                                    }
                                    if (rank > 0) {
                                        MPI.COMM_WORLD.Send(token, 0, 1, MPI.INT, rank - 1, 7);
                                    }
                                }
                                case "test" -> {
                                    Request ring = MPI.COMM_WORLD.Irecv(new int[1], 0, 1, MPI.INT, (rank + 1) % size, 7);
                                    MPI.COMM_WORLD.Send(new int[1], 0, 1, MPI.INT, (rank + size - 1) % size, 7);
                                    while (ring.Test() == null) {
                                        Thread.onSpinWait();
                                    }
                                }
                                case "testAny" -> {
                                    Request[] sum = {MPI.COMM_WORLD.Ibarrier()};
                                    while (Request.Testany(sum) == null) {
                                        Thread.yield();
                                    }
                                }
                                case "probe" -> {
                                    MPI.COMM_WORLD.Send(new int[1], 0, 1, MPI.INT, (rank + size - 1) % size, 7);
                                    while (MPI.COMM_WORLD.Iprobe((rank + 1) % size, 7) == null) {
                                        LockSupport.parkNanos(1_000_000);
                                    }
                                    MPI.COMM_WORLD.Recv(new int[1], 0, 1, MPI.INT, (rank + 1) % size, 7);
                                }
                                case "all" -> MPI.COMM_WORLD.Ssend(new int[1000], 0, 1000, MPI.INT, (rank + 1) % size, 7);
                                case "circle" -> MPI.COMM_WORLD.Recv(new int[1], 0, 1, MPI.INT, (rank + 1) % size, 7);
                                default -> throw new AssertionError(args[0]);
                            }
                        }, task -> {
                            if (args[0].equals("all")) {
                                CompletableFuture.runAsync(task);
                                MPI.COMM_WORLD.Recv(new int[1000], 0, 1000, MPI.INT, (rank + size - 1) % size, 7);
                            } else {
                                CompletableFuture.runAsync(task);
                            }
                        }).get();
                        System.out.println("rank " + rank + " is through");
                        CompletableFuture.runAsync(() -> MPI.Finalize()).get();
                    }
                }
                """);
    }

    @ParameterizedTest
    @ValueSource(strings = {"barrier", "receive", "all", "test", "testAny", "probe"})
    void everyRankIsThrough(String way) {
        Run run = Run.of(folder, RANKS, "Main", job -> job.timeout(Duration.ofSeconds(30)), way);
        assertThat(run.status()).as(run.report()).isZero();
        assertThat(run.sortedLines())
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, RANKS)
                        .mapToObj(rank -> "rank " + rank + " is through")
                        .toList());
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 5})
    void ranksWhoseTasksWaitForEachOtherAreReported(int ranks) {
        Run run = Run.of(
                folder,
                ranks,
                "Main",
                job -> job.timeout(Duration.ofSeconds(30)).deadlockTimeout(Duration.ofMillis(500)),
                "circle");
        assertThat(run.status()).as(run.report()).isEqualTo(ExitStatus.DEADLOCK);
        assertThat(run.report()).contains("receive from rank 1, tag 7", "cycle: 0 \u2192 1");
    }
}
