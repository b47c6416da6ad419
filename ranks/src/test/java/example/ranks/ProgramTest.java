package example.ranks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import mpi.MPI;
import org.galerna.ranks.RankAssertionError;
import org.galerna.ranks.RankFailedException;
import org.galerna.ranks.Ranks;
import org.galerna.ranks.RanksException;
import org.galerna.ranks.RanksResult;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whole programs as ranks: threads with classes of their own, and processes. */
@Timeout(120)
class ProgramTest {
    /** What is run. */
    static final class Program {
        private static int calls;

        private Program() {}

        public static void main(String[] arguments) {
            String[] own = MPI.Init(arguments);
            int rank = MPI.COMM_WORLD.Rank();
            calls++;
            switch (own[0]) {
                case "sum" -> {
                    int[] sum = {rank};
                    MPI.COMM_WORLD.Allreduce(MPI.IN_PLACE, 0, sum, 0, 1, MPI.INT, MPI.SUM);
                    System.out.println("sum " + sum[0] + ", calls " + calls + ", size " + MPI.COMM_WORLD.Size());
                }
                case "assert" -> {
                    if (rank == 2) {
                        throw new AssertionError("two is wrong");
                    }
                    MPI.COMM_WORLD.Barrier();
                }
                case "throw" -> {
                    if (rank == 1) {
                        throw new IllegalStateException("boom");
                    }
                    MPI.COMM_WORLD.Barrier();
                }
                case "exit" -> {
                    if (rank == 1) {
                        System.exit(9);
                    }
                    MPI.COMM_WORLD.Barrier();
                }
                default -> MPI.COMM_WORLD.Recv(new int[1], 0, 1, MPI.INT, rank, 0);
            }
            MPI.Finalize();
        }
    }

    static List<Ranks> kinds() {
        Ranks three = Ranks.of(3);
        return List.of(three.procs(), three.procs().device("shmdev"), three.device("niodev"));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    @Tag("slow")
    void eachRankHasItsOwnStaticFieldsOnEveryDevice(Ranks ranks) {
        eachRankHasItsOwnStaticFields(ranks);
    }

    @Test
    void eachRankHasItsOwnStaticFields() {
        eachRankHasItsOwnStaticFields(Ranks.of(3));
    }

    private static void eachRankHasItsOwnStaticFields(Ranks ranks) {
        RanksResult<?> result = ranks.captured().program(Program.class, "sum");
        for (int rank = 0; rank < 3; rank++) {
            assertThat(result.output(rank)).containsExactly("sum 3, calls 1, size 3");
        }
    }

    static List<Ranks> threadsAndProcesses() {
        return List.of(Ranks.of(3), Ranks.of(3).procs());
    }

    @ParameterizedTest
    @MethodSource("threadsAndProcesses")
    void aFailedAssertionNamesItsRank(Ranks ranks) {
        assertThatThrownBy(() -> ranks.program(Program.class, "assert"))
                .isInstanceOfSatisfying(
                        RankAssertionError.class,
                        error -> assertThat(error.rank()).isEqualTo(2))
                .hasMessageStartingWith("rank 2 failed: ")
                .hasMessageContaining("two is wrong")
                .satisfies(
                        error -> assertThat(error.getCause() == null ? error.getMessage() : stackOf(error.getCause()))
                                .contains("ProgramTest"));
    }

    private static String stackOf(Throwable error) {
        return Stream.of(error.getStackTrace())
                .map(StackTraceElement::toString)
                .toList()
                .toString();
    }

    @Test
    void anExceptionNamesItsRank() {
        anExceptionNamesItsRank(Ranks.of(3));
    }

    private static void anExceptionNamesItsRank(Ranks ranks) {
        assertThatThrownBy(() -> ranks.program(Program.class, "throw"))
                .isInstanceOf(RankFailedException.class)
                .hasMessageStartingWith("rank 1 failed: java.lang.IllegalStateException: boom");
    }

    @Test
    void anExitStatusIsTold() {
        anExitStatusIsTold(Ranks.of(3));
    }

    private static void anExitStatusIsTold(Ranks ranks) {
        RanksResult<?> result = ranks.tryProgram(Program.class, "exit");
        assertThat(result.status()).isEqualTo(9);
        assertThat(result.failure()).get().isExactlyInstanceOf(RanksException.class);
        assertThat(result.report()).contains("rank 1 has ended the job with exit status 9");
    }

    @Test
    void theTimeLimitHolds() {
        assertThatThrownBy(() -> Ranks.of(2).within(Duration.ofSeconds(2)).program(Program.class, "wait"))
                .hasMessageStartingWith("the job has not ended within 2 s")
                .hasMessageContaining("Recv");
    }

    /** Starts ranks that run it. */
    static final class Endless {
        private Endless() {}

        public static void main(String[] arguments) {
            Ranks ranks = Ranks.of(2);
            (arguments.length > 0 ? ranks.procs() : ranks).program(Endless.class, arguments);
        }
    }

    @Test
    void aProgramThatStartsItselfIsRefused() {
        aProgramThatStartsItselfIsRefused(Ranks.of(3));
    }

    @Test
    @Tag("slow")
    void processesEndAsThreadsDo() {
        Ranks processes = Ranks.of(3).procs();
        anExceptionNamesItsRank(processes);
        anExitStatusIsTold(processes);
        aProgramThatStartsItselfIsRefused(processes);
    }

    private static void aProgramThatStartsItselfIsRefused(Ranks ranks) {
        assertThatThrownBy(() -> ranks.program(Endless.class, "processes"))
                .hasMessageContaining("Endless is what this rank runs already");
    }

    @Test
    void aClassWithoutMainIsRefused() {
        assertThatThrownBy(() -> Ranks.of(2).program(ProgramTest.class))
                .isInstanceOfSatisfying(
                        RanksException.class,
                        failure -> assertThat(failure.status()).isEqualTo(2))
                .hasMessageContaining("has no main method");
    }

    @Test
    void processesHaveTheirOptions() {
        RanksResult<?> result =
                Ranks.of(1).procs().jvmOptions("-Dwhat=this").captured().program(Property.class);
        assertThat(result.output(0)).containsExactly("this");
    }

    /** Prints a property of its JVM. */
    static final class Property {
        private Property() {}

        public static void main(String[] arguments) {
            System.out.println(System.getProperty("what"));
        }
    }
}
