package org.galerna.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.galerna.launch.program.ProgramArguments;
import org.galerna.launch.report.ExitStatus;
import org.galerna.launch.report.Outcome;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Fault.Where;
import org.galerna.testkit.process.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Programs for the {@code mpi} package, as they would be written for processes. */
@Timeout(60)
class MpiProgramTest {
    @TempDir
    Path folder;

    @Test
    void runsOnAnyNumberOfRanksOneJobAfterAnother() {
        Programs.compile(folder, """
                import mpi.*;

                public class Main {
                    static int rank;

                    public static void main(String[] args) throws MPIException {
                        String[] rest = MPI.Init(args);
                        rank = MPI.COMM_WORLD.Rank();
                        int[] sum = new int[1];
                        MPI.COMM_WORLD.Allreduce(new int[] {rank + 1}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
                        System.out.println(rank + " of " + MPI.COMM_WORLD.Size() + ": " + sum[0] + " " + rest[0]);
                        MPI.Finalize();
                    }
                }
                """);
        for (int ranks : new int[] {1, 2, 4, 3}) {
            Run run = Run.of(folder, ranks, "Main", "argument");
            assertThat(run.report()).isEmpty();
            assertThat(run.out().lines())
                    .hasSize(ranks)
                    .contains("0 of " + ranks + ": " + ranks * (ranks + 1) / 2 + " argument");
        }
    }

    /** Programs for MPJ Express skip the three arguments that it puts in front by themselves, or let MPI.Init do it. */
    @Test
    void mainMethodsAreGivenTheArgumentsOfMpjExpressOnRequest() {
        Programs.compile(folder, """
                import mpi.*;

                public class Main {
                    public static void main(String[] args) throws MPIException {
                        String[] own = MPI.Init(args);
                        System.out.println(MPI.COMM_WORLD.Rank() + ": " + String.join(" ", args) + " | "
                                + String.join(" ", own));
                        MPI.Finalize();
                    }
                }
                """);
        System.setProperty(ProgramArguments.PROPERTY, ProgramArguments.AS_MPJ_EXPRESS);
        try {
            Run run = Run.of(folder, 2, "Main", job -> job.device("smdev"), "a", "b");
            assertThat(run.report()).isEmpty();
            assertThat(run.sortedLines()).containsExactly("0: 0 2 smdev a b | a b", "1: 1 2 smdev a b | a b");
        } finally {
            System.clearProperty(ProgramArguments.PROPERTY);
        }
    }

    @Test
    void objectsOfTheProgramsClassesArriveAsTheReceiversOwn() {
        Programs.compile(folder, """
                import java.io.Serializable;
                import mpi.*;

                public class Main {
                    static class Point implements Serializable {
                        static int made;
                        final int x;

                        Point(int x) {
                            this.x = x;
                            made++;
                        }
                    }

                    public static void main(String[] args) throws MPIException {
                        MPI.Init(args);
                        Object[] buffer = new Object[1];
                        if (MPI.COMM_WORLD.Rank() == 0) {
                            buffer[0] = new Point(42);
                            MPI.COMM_WORLD.Send(buffer, 0, 1, MPI.OBJECT, 1, 0);
                        } else {
                            MPI.COMM_WORLD.Recv(buffer, 0, 1, MPI.OBJECT, 0, 0);
                            System.out.println(((Point) buffer[0]).x + " " + Point.made);
                        }
                        MPI.Finalize();
                    }
                }
                """);
        Run run = Run.of(folder, 2, "Main");
        assertThat(run.report()).isEmpty();
        assertThat(run.out()).isEqualTo("42 0\n");
    }

    @Test
    void theProgramsCopyOfTheMpiPackageIsNotUsed() {
        Programs.compile(folder, """
                import mpi.*;

                public class Main {
                    public static void main(String[] args) throws MPIException {
                        MPI.Init(args);
                        System.out.println(mpi.pt2pt.Own.TEXT + MPI.COMM_WORLD.Size());
                        MPI.Finalize();
                    }
                }
                """, """
                package mpi.pt2pt;

                public class Own {
                    public static final String TEXT = String.valueOf("own ");
                }
                """);
        Programs.compile(folder, """
                package mpi;

                public class MPI {
                    static {
                        if (true) {
                            throw new IllegalStateException("of another library");
                        }
                    }
                }
                """);
        Run run = Run.of(folder, 2, "Main");
        assertThat(run.report()).isEmpty();
        assertThat(run.out()).isEqualTo("own 2\nown 2\n");
    }

    @Test
    void anUncaughtMpiExceptionEndsTheJob() {
        Programs.compile(folder, """
                import mpi.*;

                public class Main {
                    public static void main(String[] args) throws MPIException {
                        MPI.Init(args);
                        if (MPI.COMM_WORLD.Rank() == 1) {
                            MPI.COMM_WORLD.Send(new int[1], 0, 1, MPI.INT, 17, 0);
                        }
                        MPI.COMM_WORLD.Barrier();
                        MPI.Finalize();
                    }
                }
                """);
        Run run = Run.of(folder, 3, "Main");
        assertThat(run.status()).isEqualTo(ExitStatus.FAILED);
        assertThat(run.report())
                .startsWith("galerna: rank 1 has failed: mpi.MPIException: ")
                .contains("    at Main.main(Main.java:7)\n");
        assertThat(run.err()).isEmpty();
    }

    @Test
    void abortEndsTheJobWithItsCode() {
        Programs.compile(folder, """
                import mpi.*;

                public class Main {
                    public static void main(String[] args) throws MPIException {
                        MPI.Init(args);
                        if (MPI.COMM_WORLD.Rank() == 2) {
                            MPI.COMM_WORLD.Abort(42);
                            System.out.println("unreachable");
                        }
                        MPI.COMM_WORLD.Barrier();
                    }
                }
                """);
        Run run = Run.of(folder, 3, "Main");
        assertThat(run.status()).isEqualTo(42);
        assertThat(run.result().outcome())
                .isInstanceOfSatisfying(
                        Outcome.Aborted.class,
                        aborted -> assertThat(aborted.rank()).isEqualTo(2));
        assertThat(run.out()).isEmpty();
    }

    @Test
    void aDeadlockIsShownWhereTheProgramCallsMpi() {
        Programs.compile(folder, """
                import mpi.*;

                public class Main {
                    public static void main(String[] args) throws MPIException {
                        MPI.Init(args);
                        int[] data = new int[1];
                        int other = 1 - MPI.COMM_WORLD.Rank();
                        MPI.COMM_WORLD.Recv(data, 0, 1, MPI.INT, other, 3);
                        MPI.COMM_WORLD.Send(data, 0, 1, MPI.INT, other, 3);
                        MPI.Finalize();
                    }
                }
                """);
        Run run = Run.of(folder, 2, "Main", job -> job.deadlockTimeout(Duration.ofMillis(500)));
        assertThat(run.status()).isEqualTo(ExitStatus.DEADLOCK);
        assertThat(run.report())
                .contains("rank 0   waits for rank 1", "at Main.main(Main.java:8)", "  cycle: 0 \u2192 1 \u2192 0\n");
    }

    @Test
    void ranksThatCallDifferentCollectivesAreToldSo() {
        Programs.compile(folder, """
                import mpi.*;

                public class Main {
                    public static void main(String[] args) throws MPIException {
                        MPI.Init(args);
                        int rank = MPI.COMM_WORLD.Rank();
                        int[] data = new int[10];
                        switch (args[0] + rank) {
                            case "calls0" -> MPI.COMM_WORLD.Bcast(data, 0, 10, MPI.INT, 1);
                            case "calls1", "calls2" -> MPI.COMM_WORLD.Barrier();
                            case "roots0", "roots1" -> MPI.COMM_WORLD.Bcast(data, 0, 10, MPI.INT, 0);
                            case "roots2" -> MPI.COMM_WORLD.Bcast(data, 0, 10, MPI.INT, 1);
                            default -> MPI.COMM_WORLD.Allreduce(data, 0, new int[10], 0, 4 + rank, MPI.INT, MPI.SUM);
                        }
                        MPI.COMM_WORLD.Barrier();
                        MPI.Finalize();
                    }
                }
                """);
        assertThat(Run.of(folder, 3, "Main", "calls").report())
                .containsPattern(
                        "rank [012] has failed: .*: rank [012] is in (Bcast|Barrier), rank [012] in (Bcast|Barrier);"
                                + " all ranks of a communicator have to call the same collectives in the same order");
        assertThat(Run.of(folder, 3, "Main", "roots").report())
                .containsPattern(
                        "rank 2 has failed: .*: rank [01] is in Bcast with root 0, rank 2 in Bcast with root 1;"
                                + " all ranks have to call it with the same root"
                                + "|rank [01] has failed: .*: rank 2 has called Bcast with root 1, rank [01] Bcast with root 0;"
                                + " all ranks have to call it with the same root");
        assertThat(Run.of(folder, 3, "Main", "counts").report())
                .containsPattern("rank ([012]) has failed: .*: rank [012] sends (16|20|24) bytes, rank \\1 expects"
                        + " (16|20|24); all ranks have to call Allreduce with matching counts");
    }

    @Test
    void aRankInACollectiveIsReportedWithWhomItWaitsFor() {
        Programs.compile(folder, """
                import mpi.*;

                public class Main {
                    public static void main(String[] args) throws MPIException {
                        MPI.Init(args);
                        int rank = MPI.COMM_WORLD.Rank();
                        Intracomm other = (Intracomm) MPI.COMM_WORLD.clone();
                        if (rank == 2) {
                            MPI.COMM_WORLD.Recv(new int[1], 0, 1, MPI.INT, 0, 3);
                        }
                        if (rank == 1) {
                            MPI.COMM_WORLD.Allreduce(new double[5], 0, new double[5], 0, 5, MPI.DOUBLE, MPI.SUM);
                        }
                        if (rank == 0) {
                            other.Barrier();
                        }
                        MPI.Finalize();
                    }
                }
                """);
        Run run = Run.of(folder, 3, "Main", job -> job.deadlockTimeout(Duration.ofMillis(500)));
        assertThat(run.status()).isEqualTo(ExitStatus.DEADLOCK);
        assertThat(run.report())
                .contains("rank 0   waits for rank 1  in Barrier ", "at Main.main(Main.java:15)")
                .contains("rank 1   waits for rank 2  in Allreduce, 40 bytes ", "at Main.main(Main.java:12)")
                .doesNotContain("mismatch")
                .contains("rank 2   waits for rank 0  in receive from rank 0, tag 3")
                .contains("  cycle: 0 \u2192 1 \u2192 2 \u2192 0\n");
    }

    @Test
    @Fault(value = 17, on = Where.THREADS)
    void aRankThatEndsEndsTheWaitOfThoseInACollective() {
        Programs.compile(folder, """
                import mpi.*;

                public class Main {
                    public static void main(String[] args) throws MPIException {
                        MPI.Init(args);
                        if (MPI.COMM_WORLD.Rank() == 2) {
                            MPI.Finalize();
                            return;
                        }
                        MPI.COMM_WORLD.Barrier();
                        MPI.Finalize();
                    }
                }
                """);
        Run run = Run.of(folder, 3, "Main", job -> job.deadlockTimeout(Duration.ofSeconds(20)));
        assertThat(run.status()).isNotZero();
        assertThat(run.report()).contains("rank 2 has left the job without its part in the Barrier that ");
    }

    @Test
    void aMessageForARankThatHasFinishedEndsTheJobWithTheReason() {
        Programs.compile(folder, """
                import mpi.*;

                public class Main {
                    public static void main(String[] args) throws MPIException {
                        MPI.Init(args);
                        if (MPI.COMM_WORLD.Rank() == 0) {
                            MPI.COMM_WORLD.Ssend(new int[1], 0, 1, MPI.INT, 1, 0);
                        }
                        MPI.Finalize();
                    }
                }
                """);
        Run run = Run.of(folder, 2, "Main", job -> job.deadlockTimeout(Duration.ofSeconds(1)));
        assertThat(run.status()).isNotZero();
        assertThat(run.report()).contains("rank 1");
    }
}
