package org.galerna.launch.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.galerna.launch.report.Deadlock;
import org.galerna.launch.report.Deadlock.Waiter;
import org.galerna.link.RankMonitor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DeadlockWatchTest {
    private static final Duration STEP = Duration.ofMillis(100);

    private final FakeRank zero = new FakeRank(0);
    private final FakeRank one = new FakeRank(1);
    private boolean othersAlive;
    private final DeadlockWatch watch =
            new DeadlockWatch(List.of(zero, one), Duration.ofSeconds(1), threads -> othersAlive);

    /** A rank that is what the test says. */
    private static final class FakeRank implements ObservedRank {
        private final int rank;
        private boolean ended;
        private boolean joined = true;
        private long progress;
        private final List<RankMonitor.Blocked> blocked = new ArrayList<>();

        FakeRank(int rank) {
            this.rank = rank;
        }

        void waitFor(int peer) {
            blocked.add(new RankMonitor.Blocked(Thread.currentThread(), "receive from rank " + peer, peer));
        }

        @Override
        public int rank() {
            return rank;
        }

        @Override
        public boolean hasEnded() {
            return ended;
        }

        @Override
        public @Nullable RankMonitor monitor() {
            return !joined
                    ? null
                    : new RankMonitor() {
                        @Override
                        public int rank() {
                            return rank;
                        }

                        @Override
                        public long progress() {
                            return progress;
                        }

                        @Override
                        public List<Blocked> blocked() {
                            return List.copyOf(blocked);
                        }

                        @Override
                        public boolean finished() {
                            return false;
                        }
                    };
        }

        @Override
        public List<Thread> threads() {
            return List.of();
        }

        @Override
        public boolean owns(String className) {
            return false;
        }
    }

    /** Looks until something is found; at most {@code times} times. */
    private Optional<Deadlock> look(int times) {
        Optional<Deadlock> found = Optional.empty();
        for (int i = 0; i < times && found.isEmpty(); i++) {
            found = watch.look(STEP);
        }
        return found;
    }

    @Test
    void allBlockedForLongEnoughIsADeadlock() {
        zero.waitFor(1);
        one.waitFor(0);
        assertThat(look(10)).isEmpty();
        Deadlock deadlock = look(1).orElseThrow();
        assertThat(deadlock.lasting()).isEqualTo(Duration.ofSeconds(1));
        assertThat(deadlock.cycle()).containsExactly(0, 1);
        assertThat(deadlock.waiters()).extracting(Waiter::operation).contains("receive from rank 1");
    }

    @Test
    void aMessageThatMovesStartsTheTimeAnew() {
        zero.waitFor(1);
        one.waitFor(0);
        assertThat(look(9)).isEmpty();
        one.progress++;
        assertThat(look(10)).isEmpty();
        assertThat(look(2)).isPresent();
    }

    @Test
    void aRankOutsideOfCallsIsNoDeadlock() {
        zero.waitFor(1);
        assertThat(look(50)).isEmpty();
        one.joined = false;
        assertThat(look(50)).isEmpty();
    }

    @Test
    void aRankThatHasEndedDoesNotCount() {
        zero.waitFor(1);
        one.ended = true;
        Deadlock deadlock = look(20).orElseThrow();
        assertThat(deadlock.ended()).containsExactly(1);
        assertThat(deadlock.cycle()).isEmpty();
        zero.ended = true;
        assertThat(look(50)).isEmpty();
    }

    @Test
    void aThreadThatMayStillSendIsAskedForAgainLater() {
        zero.waitFor(1);
        one.waitFor(0);
        othersAlive = true;
        assertThat(look(50)).isEmpty();
        othersAlive = false;
        assertThat(look(20)).isPresent();
    }

    @Test
    void timeInWhichTheWholeJvmWasStoppedDoesNotCount() {
        zero.waitFor(1);
        one.waitFor(0);
        assertThat(watch.look(STEP)).isEmpty();
        assertThat(watch.look(Duration.ofHours(1))).isEmpty();
        assertThat(watch.look(Duration.ofHours(1))).isEmpty();
    }

    @Test
    void cyclesAreFoundAmongSeveralWaiters() {
        assertThat(DeadlockWatch.cycle(List.of(waiter(0, 1), waiter(1, 2), waiter(2, 1))))
                .containsExactly(1, 2);
        assertThat(DeadlockWatch.cycle(List.of(waiter(3, 3)))).containsExactly(3);
        assertThat(DeadlockWatch.cycle(List.of(waiter(0, 1), waiter(0, 2), waiter(2, 0))))
                .containsExactly(0, 2);
        assertThat(DeadlockWatch.cycle(List.of(waiter(0, 1), waiter(1, Waiter.ANYBODY))))
                .isEmpty();
        assertThat(DeadlockWatch.cycle(List.of())).isEmpty();
    }

    private static Waiter waiter(int rank, int peer) {
        return new Waiter(rank, "rank-" + rank, "receive", peer, "");
    }
}
