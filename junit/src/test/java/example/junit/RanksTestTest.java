package example.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;
import static org.junit.platform.testkit.engine.EventConditions.abortedWithReason;
import static org.junit.platform.testkit.engine.EventConditions.finishedWithFailure;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.instanceOf;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.message;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import mpi.Intracomm;
import mpi.MPI;
import org.assertj.core.api.Condition;
import org.galerna.junit.RanksTest;
import org.galerna.ranks.RanksException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

class RanksTestTest {
    /** Run by the tests below, and not by themselves: the build takes classes by their names. */
    static class Cases {
        static final AtomicInteger CALLS = new AtomicInteger();

        private int prepared;

        @BeforeEach
        void prepare() {
            prepared++;
        }

        @RanksTest(4)
        void sums(Intracomm world, TestInfo info, @TempDir Path folder) {
            int[] sum = {MPI.COMM_WORLD.Rank()};
            world.Allreduce(MPI.IN_PLACE, 0, sum, 0, 1, MPI.INT, MPI.SUM);
            assertEquals(6, sum[0]);
            assertEquals(1, prepared);
            assertThat(info.getDisplayName()).startsWith("sums");
            assertThat(folder).isDirectory();
            CALLS.incrementAndGet();
        }

        @RanksTest(3)
        void failsInRank2(Intracomm world) {
            if (world.Rank() == 2) {
                assertEquals(4, world.Size());
            }
            world.Barrier();
        }

        @RanksTest(2)
        void assumes(Intracomm world) {
            assumeTrue(world.Rank() == 0, "only rank 0 can");
            world.Barrier();
        }

        @RanksTest(value = 2, seconds = 0.5)
        void takesTooLong(Intracomm world) throws InterruptedException {
            synchronized (world) {
                while (world.Size() == 2) {
                    world.wait(1000);
                }
            }
        }

        @RanksTest(2)
        @Timeout(1)
        void isTimedOutByJunit() throws InterruptedException {
            synchronized (CALLS) {
                while (!Thread.currentThread().isInterrupted()) {
                    CALLS.wait(1000);
                }
            }
        }

        @RanksTest(0)
        void hasNoRanks() {}

        @RanksTest(value = 2, device = "niodev")
        void usesADeviceThatIsNotThere() {}
    }

    private static Events run(String method) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectMethod(
                        Cases.class,
                        Arrays.stream(Cases.class.getDeclaredMethods())
                                .filter(each -> each.getName().equals(method))
                                .findFirst()
                                .orElseThrow()))
                .execute()
                .testEvents();
    }

    @Test
    void allRanksRunTheTest() {
        Cases.CALLS.set(0);
        run("sums").assertStatistics(statistics -> statistics.started(1).succeeded(1));
        assertThat(Cases.CALLS).hasValue(4);
    }

    @Test
    void aFailureNamesTheRankAndWhatWasExpected() {
        run("failsInRank2")
                .assertThatEvents()
                .haveExactly(
                        1,
                        finishedWithFailure(
                                instanceOf(AssertionFailedError.class),
                                message(text -> text.startsWith("rank 2 failed: expected: <4> but was: <3>")),
                                new Condition<>(
                                        failure -> Stream.of(failure.getStackTrace())
                                                .anyMatch(frame ->
                                                        frame.getMethodName().equals("failsInRank2")),
                                        "has the stack of the rank")));
    }

    @Test
    void anAssumptionThatDoesNotHoldSkipsTheTest() {
        run("assumes").assertThatEvents().haveExactly(1, abortedWithReason(instanceOf(TestAbortedException.class)));
    }

    @Test
    void theTimeLimitSaysWhereTheRanksAre() {
        run("takesTooLong")
                .assertThatEvents()
                .haveExactly(
                        1,
                        finishedWithFailure(
                                instanceOf(RanksException.class),
                                message(text -> text.startsWith("the job has not ended within 0.5 s")
                                        && text.contains("rank 1, sleeping")
                                        && text.contains("Cases.takesTooLong"))));
    }

    @Test
    void theTimeLimitOfJunitEndsTheRanks() {
        run("isTimedOutByJunit").assertStatistics(statistics -> statistics.failed(1));
    }

    @Test
    void wrongDescriptionsFailTheTest() {
        run("hasNoRanks")
                .assertThatEvents()
                .haveExactly(1, finishedWithFailure(message("a job needs at least one rank, not 0")));
        run("usesADeviceThatIsNotThere")
                .assertThatEvents()
                .haveExactly(1, finishedWithFailure(message(text -> text.startsWith("there is no device \"niodev\""))));
    }
}
