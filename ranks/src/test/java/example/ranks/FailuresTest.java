package example.ranks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import mpi.Intracomm;
import mpi.MPI;
import org.galerna.ranks.RankAssertionError;
import org.galerna.ranks.RankFailedException;
import org.galerna.ranks.Ranks;
import org.galerna.ranks.RanksException;
import org.galerna.ranks.RanksResult;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Code of the caller as ranks that fail, wait for each other, or are ended. */
@Timeout(60)
class FailuresTest {
    // ---- failures

    @Test
    void aFailedAssertionIsAnAssertionErrorWithTheRank() {
        assertThatThrownBy(() -> Ranks.of(4).run(world -> {
                    world.Barrier();
                    if (world.Rank() == 2) {
                        assertThat(world.Size()).isEqualTo(5);
                    }
                    world.Barrier();
                }))
                .isInstanceOf(AssertionError.class)
                .isInstanceOfSatisfying(
                        RankAssertionError.class,
                        error -> assertThat(error.rank()).isEqualTo(2))
                .hasMessageStartingWith("rank 2 failed: ")
                .hasMessageContaining("expected: 5")
                .satisfies(error -> assertThat(error.getCause().getStackTrace())
                        .anyMatch(frame -> frame.getClassName().startsWith(FailuresTest.class.getName())))
                .satisfies(error -> assertThat(error.getStackTrace())
                        .anyMatch(frame -> frame.getMethodName().startsWith("aFailedAssertion")))
                .hasNoSuppressedExceptions();
    }

    @Test
    void anotherExceptionIsTheCause() {
        assertThatThrownBy(() -> Ranks.of(3).run(world -> {
                    if (world.Rank() == 1) {
                        throw new IOException("disk full");
                    }
                    world.Recv(new int[1], 0, 1, MPI.INT, 1, 0);
                }))
                .isInstanceOfSatisfying(
                        RankFailedException.class,
                        failure -> assertThat(failure.rank()).isEqualTo(1))
                .hasMessage("rank 1 failed: java.io.IOException: disk full")
                .hasCauseInstanceOf(IOException.class)
                .hasNoSuppressedExceptions();
    }

    @Test
    void anExceptionInAThreadOfARankIsOneOfTheRank() {
        assertThatThrownBy(() -> Ranks.of(2).run(world -> {
                    if (world.Rank() == 1) {
                        Thread.ofPlatform().name("helper").start(() -> {
                            throw new IllegalStateException("boom");
                        });
                    }
                    world.Recv(new int[1], 0, 1, MPI.INT, 1 - world.Rank(), 0);
                }))
                .isInstanceOf(RankFailedException.class)
                .hasMessage("rank 1 failed in thread helper: java.lang.IllegalStateException: boom");
    }

    @Test
    void nothingIsThrownIfTheResultIsAskedFor() {
        RanksResult<Integer> result = Ranks.of(2).tryCall(world -> {
            assertThat(world.Rank()).isZero();
            world.Barrier();
            return 1;
        });
        assertThat(result.isSuccess()).isFalse();
        assertThat(result.status()).isEqualTo(1);
        assertThat(result.report()).startsWith("galerna: rank 1 has failed");
        assertThat(result.failure()).get().isInstanceOf(RankAssertionError.class);
        assertThatThrownBy(result::values).isInstanceOf(RankAssertionError.class);
        assertThatThrownBy(result::orThrow).isInstanceOf(RankAssertionError.class);
        assertThat(Ranks.of(2).tryRun(Intracomm::Barrier).orThrow().isSuccess()).isTrue();
    }

    @Test
    void aDeadlockIsReported() {
        assertThatThrownBy(() -> Ranks.of(2).run(world -> world.Recv(new int[1], 0, 1, MPI.INT, 1 - world.Rank(), 5)))
                .isInstanceOfSatisfying(
                        RanksException.class,
                        failure -> assertThat(failure.status()).isEqualTo(3))
                .hasMessageStartingWith("deadlock: ")
                .hasMessageContaining("receive from rank 1, tag 5")
                .hasMessageContaining("FailuresTest.java");
    }

    @Test
    @Tag("slow")
    void aRankThatOthersWakeIsNoDeadlock() {
        CountDownLatch latch = new CountDownLatch(1);
        Thread outside = Thread.ofPlatform().daemon().start(() -> {
            long end = System.nanoTime() + Duration.ofSeconds(7).toNanos();
            while (System.nanoTime() < end) {
                LockSupport.parkNanos(end - System.nanoTime());
            }
            latch.countDown();
        });
        assertThat(outside.isAlive()).isTrue();
        Ranks.of(2).run(world -> {
            if (world.Rank() == 0) {
                latch.await();
            }
            world.Barrier();
        });
    }

    @Test
    @Tag("slow")
    void aTaskThatIsDueLaterIsNoDeadlock() throws Exception {
        try (ScheduledExecutorService clock = Executors.newScheduledThreadPool(1)) {
            // its thread was there before the ranks
            clock.submit(() -> {}).get();
            Ranks.of(2).run(world -> {
                int peer = 1 - world.Rank();
                var sending = clock.schedule(() -> world.Send(new int[1], 0, 1, MPI.INT, peer, 0), 7, TimeUnit.SECONDS);
                world.Recv(new int[1], 0, 1, MPI.INT, peer, 0);
                sending.get();
                world.Barrier();
            });
        }
    }

    @Test
    void theTimeLimitSaysWhereTheRanksAre() {
        CountDownLatch never = new CountDownLatch(1);
        assertThatThrownBy(() -> Ranks.of(2).within(Duration.ofMillis(500)).run(world -> {
                    if (world.Rank() == 0) {
                        never.await();
                    }
                    world.Barrier();
                }))
                .isInstanceOfSatisfying(
                        RanksException.class,
                        failure -> assertThat(failure.status()).isEqualTo(124))
                .hasMessageStartingWith("the job has not ended within 0.5 s")
                .hasMessageContaining("rank 0, waiting")
                .hasMessageContaining("rank 1, in ")
                .hasMessageContaining("FailuresTest.java");
    }

    @Test
    void anAbortIsReported() {
        assertThatThrownBy(() -> Ranks.of(3).run(world -> {
                    if (world.Rank() == 1) {
                        world.Abort(7);
                    }
                    world.Barrier();
                }))
                .isInstanceOfSatisfying(
                        RanksException.class,
                        failure -> assertThat(failure.status()).isEqualTo(7))
                .hasMessageContaining("rank 1 has aborted the job with status 7");
    }

    @Test
    void anInterruptOfTheCallerEndsTheJob() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(3);
        List<Throwable> seen = new ArrayList<>();
        Thread caller = Thread.ofPlatform().start(() -> {
            seen.add(catchThrowable(() -> Ranks.of(3).run(world -> {
                begun.countDown();
                world.Recv(new int[1], 0, 1, MPI.INT, MPI.ANY_SOURCE, 0);
            })));
            assertThat(Thread.interrupted()).isTrue();
        });
        begun.await();
        caller.interrupt();
        caller.join();
        assertThat(seen)
                .singleElement()
                .isInstanceOfSatisfying(
                        RanksException.class,
                        failure -> assertThat(failure)
                                .hasMessageStartingWith("the job was interrupted; where its ranks were:")
                                .hasMessageContaining("rank 2, ")
                                .extracting(RanksException::status)
                                .isEqualTo(130));
    }

    @Test
    void whatAnExceptionSaysOfItselfMayFail() {
        RuntimeException mute = new RuntimeException() {
            private static final long serialVersionUID = 1;

            @Override
            public String getMessage() {
                throw new IllegalStateException("no words");
            }
        };
        assertThatThrownBy(() -> Ranks.of(1).run(world -> {
                    throw mute;
                }))
                .isInstanceOf(RankFailedException.class)
                .hasMessageStartingWith("rank 0 failed: " + mute.getClass().getName());
    }

    @Test
    void stacksBeginAtTheCallAndEndWithTheCode() {
        Throwable failure = catchThrowable(() -> Ranks.of(2).run(world -> {
            throw new IllegalStateException();
        }));
        assertThat(failure.getStackTrace()[0].getClassName()).startsWith(FailuresTest.class.getName());
        RanksResult<?> result = Ranks.of(1).tryRun(world -> {
            throw new IllegalStateException();
        });
        assertThat(result.report()).contains("FailuresTest").doesNotContain("org.galerna");
    }
}
