package org.galerna.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.galerna.launch.report.ExitStatus;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Fault.Where;
import org.galerna.testkit.process.Programs;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ranks that end without {@code MPI.Finalize}. No watch for deadlocks helps them. */
@Timeout(60)
class FinalizeTest {
    @TempDir
    Path folder;

    @BeforeEach
    void compile() {
        Programs.compile(folder, """
                import mpi.*;

                public class Main {
                    static int rank;
                    static int[] data = new int[100_000];

                    public static void main(String[] args) throws Exception {
                        if (args[0].equals("noInit")) {
                            return;
                        }
                        MPI.Init(args);
                        rank = MPI.COMM_WORLD.Rank();
                        switch (args[0]) {
                            case "nobody" -> {
                                return;
                            }
                            case "receive" -> {
                                if (rank == 0) {
                                    return;
                                }
                                MPI.COMM_WORLD.Recv(data, 0, 1, MPI.INT, 0, 7);
                            }
                            case "send" -> {
                                if (rank == 0) {
                                    return;
                                }
                                MPI.COMM_WORLD.Send(data, 0, data.length, MPI.INT, 0, 7);
                            }
                            case "exit" -> {
                                if (rank == 0) {
                                    new Thread(() -> System.exit(0)).start();
                                    MPI.COMM_WORLD.Recv(data, 0, 1, MPI.INT, 1, 7);
                                }
                                MPI.COMM_WORLD.Barrier();
                            }
                            case "anybody" -> {
                                if (rank > 0) {
                                    return;
                                }
                                MPI.COMM_WORLD.Recv(data, 0, 1, MPI.INT, MPI.ANY_SOURCE, 7);
                            }
                            case "lastWords" -> {
                                if (rank == 0) {
                                    data[0] = 42;
                                    MPI.COMM_WORLD.Send(data, 0, 1, MPI.INT, 1, 7);
                                    return;
                                }
                                try {
                                    MPI.COMM_WORLD.Recv(data, 0, 1, MPI.INT, 0, 8);
                                } catch (MPIException gone) {
                                    MPI.COMM_WORLD.Recv(data, 0, 1, MPI.INT, 0, 7);
                                    System.out.println(data[0] + " " + gone.getMessage());
                                }
                            }
                            case "thread" -> {
                                if (rank == 0) {
                                    new Thread(() -> {
                                        int[] own = new int[1];
                                        MPI.COMM_WORLD.Recv(own, 0, 1, MPI.INT, 1, 7);
                                        System.out.println(own[0]);
                                        MPI.Finalize();
                                    }).start();
                                    return;
                                }
                                data[0] = 43;
                                MPI.COMM_WORLD.Send(data, 0, 1, MPI.INT, 0, 7);
                            }
                            case "hook" ->
                                Runtime.getRuntime().addShutdownHook(new Thread(MPI::Finalize));
                            default -> throw new IllegalArgumentException(args[0]);
                        }
                        if (!args[0].equals("hook")) {
                            MPI.Finalize();
                        }
                    }
                }
                """);
    }

    private Run run(int ranks, String action) {
        return Run.of(folder, ranks, "Main", job -> job.deadlockTimeout(Duration.ZERO), action);
    }

    @Test
    void theJobSucceedsWithALineIfNobodyMissesThem() {
        Run one = run(1, "nobody");
        assertThat(one.status()).isEqualTo(ExitStatus.OK);
        assertThat(one.report()).isEqualTo("galerna: rank 0 has ended without MPI.Finalize\n");
        Run three = run(3, "nobody");
        assertThat(three.status()).isEqualTo(ExitStatus.OK);
        assertThat(three.report()).isEqualTo("galerna: ranks 0, 1, 2 have ended without MPI.Finalize\n");
        assertThat(three.result().unfinished()).containsExactly(0, 1, 2);
    }

    @Test
    @Fault(value = 17, on = Where.THREADS)
    void whoWaitsForTheirMessageFailsAtOnce() {
        assertThatItFails(run(3, "receive"), "receive from rank 0, tag 7");
    }

    @Test
    @Fault(value = 17, on = Where.THREADS)
    void whoSendsThemALongMessageFailsAtOnce() {
        assertThatItFails(run(2, "send"), " to rank 0, tag 7");
    }

    private static void assertThatItFails(Run run, String operation) {
        assertThat(run.status()).as(run.report()).isEqualTo(ExitStatus.FAILED);
        assertThat(run.report())
                .startsWith("galerna: rank ")
                .contains(operation + " cannot complete, because rank 0 is gone: it has ended without MPI.Finalize")
                .endsWith("galerna: rank 0 has ended without MPI.Finalize\n");
    }

    @Test
    @Fault(value = 17, on = Where.THREADS)
    void anExitInTheMiddleOfACallIsOneOfThem() {
        Run run = run(2, "exit");
        assertThat(run.status()).as(run.report()).isEqualTo(ExitStatus.FAILED);
        assertThat(run.report())
                .startsWith("galerna: rank 0 has ended without MPI.Finalize, and without its part in the Barrier that"
                        + " rank 1 is in\n");
    }

    @Test
    @Fault(value = 18, on = Where.THREADS)
    void whoWaitsForAnybodyFailsWhenNobodyIsLeft() {
        Run run = run(3, "anybody");
        assertThat(run.status()).as(run.report()).isEqualTo(ExitStatus.FAILED);
        assertThat(run.report())
                .startsWith("galerna: rank 0 has failed")
                .contains("all other ranks are gone")
                .endsWith("galerna: ranks 1, 2 have ended without MPI.Finalize\n");
    }

    @Test
    void theirLastMessagesArriveAndTheErrorCanBeCaught() {
        Run run = run(2, "lastWords");
        assertThat(run.status()).as(run.report()).isEqualTo(ExitStatus.OK);
        assertThat(run.out()).startsWith("42 ").endsWith("because rank 0 is gone: it has ended without MPI.Finalize\n");
        assertThat(run.report()).isEqualTo("galerna: rank 0 has ended without MPI.Finalize\n");
    }

    @Test
    void aRankWhoseThreadsGoOnHasNotEnded() {
        Run run = run(2, "thread");
        assertThat(run.report()).isEmpty();
        assertThat(run.out()).isEqualTo("43\n");
    }

    @Test
    void aShutdownHookMayFinalize() {
        assertThat(run(2, "hook").report()).isEmpty();
    }

    @Test
    void whoHasNeverJoinedNeedNotLeave() {
        Run run = run(2, "noInit");
        assertThat(run.report()).isEmpty();
        assertThat(run.status()).isEqualTo(ExitStatus.OK);
    }
}
