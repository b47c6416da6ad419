package org.galerna.launch.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.galerna.launch.report.Deadlock.Waiter;
import org.galerna.launch.report.WaitCycle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DeadlockWatchTest {
    private static final Duration STEP = Duration.ofMillis(100);

    private final FakeRank zero = new FakeRank(0);
    private final FakeRank one = new FakeRank(1);
    private Census census = new Census(false, List.of());
    /** All have said that they stand still, unless a test says otherwise. */
    private Question question = Question.FIRST.next(false);

    private final DeadlockWatch watch = new DeadlockWatch(List.of(zero, one), Duration.ofSeconds(1), threads -> census);

    /** Looks until something is found; at most {@code times} times. Calls look as often. */
    private Optional<Standstill> look(int times) {
        Optional<Standstill> found = Optional.empty();
        for (int i = 0; i < times && found.isEmpty(); i++) {
            zero.lookInVain();
            one.lookInVain();
            found = watch.look(STEP, question);
        }
        return found;
    }

    @Test
    void allBlockedForLongEnoughIsSaidOnce() {
        zero.waitFor(1);
        one.waitFor(0);
        assertThat(look(10)).isEmpty();
        Standstill standstill = look(1).orElseThrow();
        assertThat(standstill.lasting()).isEqualTo(Duration.ofSeconds(1));
        assertThat(standstill.waiters()).extracting(Waiter::peer).containsExactly(1, 0);
        assertThat(standstill.waiters()).extracting(Waiter::operation).contains("receive from rank 1");
        assertThat(standstill.doubts()).isEmpty();
        assertThat(look(50)).isEmpty();
    }

    @Test
    void threadsAreLookedAtOnlyWhenAllOthersStandStillToo() {
        question = Question.FIRST;
        zero.waitFor(1);
        one.waitFor(0);
        census = new Census(true, List.of());
        Standstill first = look(20).orElseThrow();
        assertThat(first.doubts()).isEmpty();
        assertThat(look(50)).isEmpty();
        question = question.next(false);
        assertThat(look(50)).as("one runs").isEmpty();
        census = new Census(false, List.of("a timer"));
        Standstill second = look(20).orElseThrow();
        assertThat(second.epoch()).as("time has begun anew").isNotEqualTo(first.epoch());
        assertThat(second.doubts()).containsExactly("a timer");
        question = question.next(true);
        assertThat(look(20).orElseThrow().doubts())
                .as("begun anew, not confirmed")
                .isEmpty();
        question = question.ofAnother();
        assertThat(look(20).orElseThrow().doubts()).isEmpty();
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
    void aNewCallStartsTheTimeAnewThoughNoMessageHasMoved() {
        zero.waitFor(1);
        one.waitFor(0);
        assertThat(look(9)).isEmpty();
        one.goOn();
        one.waitFor(0);
        assertThat(look(10)).isEmpty();
        assertThat(look(2)).isPresent();
    }

    @Test
    void aRankOutsideOfCallsIsNoStandstill() {
        zero.waitFor(1);
        assertThat(look(50)).isEmpty();
        one.joined = false;
        assertThat(look(50)).isEmpty();
    }

    @Test
    void aRankWhoseThreadsWaitForOthersStandsStill() throws InterruptedException {
        CountDownLatch latch = new CountDownLatch(1);
        Thread waiting = new Thread(() -> {
            try {
                latch.await();
            } catch (InterruptedException atEnd) {
                Thread.currentThread().interrupt();
            }
        });
        waiting.start();
        while (waiting.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        zero.waitFor(1);
        one.threads = List.of(waiting);
        assertThat(look(20).orElseThrow().waiters())
                .extracting(Waiter::operation)
                .containsExactly("receive from rank 1", "no call");
        zero.goOn();
        zero.threads = List.of(waiting);
        assertThat(look(20).orElseThrow().doubts())
                .containsExactly("rank 0 waits in no call", "rank 1 waits in no call");
        one.threads = List.of(waiting, Thread.currentThread());
        assertThat(look(50)).as("one of them runs").isEmpty();
        latch.countDown();
        waiting.join();
        one.threads = List.of(waiting);
        assertThat(look(50)).as("one that has ended").isEmpty();
    }

    @Test
    void aRankThatHasEndedDoesNotCount() {
        zero.waitFor(1);
        one.ended = true;
        assertThat(look(20).orElseThrow().waiters()).extracting(Waiter::rank).containsExactly(0);
        zero.ended = true;
        assertThat(look(50)).isEmpty();
    }

    @Test
    void aThreadThatRunsIsAskedForAgainLater() {
        zero.waitFor(1);
        one.waitFor(0);
        census = new Census(true, List.of());
        assertThat(look(50)).isEmpty();
        census = new Census(false, List.of());
        assertThat(look(20)).isPresent();
    }

    @Test
    void doubtsAreSaidAgainWhenTheyChange() {
        zero.waitFor(1);
        one.waitFor(0);
        census = new Census(false, List.of("a timer"));
        Standstill first = look(20).orElseThrow();
        assertThat(first.doubts()).containsExactly("a timer");
        assertThat(look(50)).isEmpty();
        census = new Census(false, List.of());
        Standstill second = look(20).orElseThrow();
        assertThat(second.doubts()).isEmpty();
        assertThat(second.epoch()).isNotEqualTo(first.epoch());
    }

    @Test
    void aQuestionIsAnsweredAgainWithTheSameEpochWhenTheCallsHaveLookedSince() {
        zero.waitFor(1);
        one.waitFor(0);
        long epoch = look(20).orElseThrow().epoch();
        question = question.next(false);
        assertThat(watch.look(STEP, question)).isEmpty();
        zero.lookInVain();
        zero.lookInVain();
        one.lookInVain();
        assertThat(watch.look(STEP, question))
                .as("rank 1 may have begun before")
                .isEmpty();
        one.lookInVain();
        assertThat(watch.look(STEP, question).orElseThrow().epoch()).isEqualTo(epoch);
    }

    @Test
    void standingStillBeforeAFreshQuestionDoesNotCount() {
        zero.waitFor(1);
        one.waitFor(0);
        long epoch = look(20).orElseThrow().epoch();
        question = question.next(true).next(false);
        assertThat(look(10)).isEmpty();
        assertThat(look(2).orElseThrow().epoch()).isNotEqualTo(epoch);
    }

    @Test
    void aCallThatDoesNotLookIsNotKnownToBeBlocked() {
        zero.waitFor(1);
        for (int i = 0; i < 50; i++) {
            assertThat(watch.look(STEP, question)).isEmpty();
        }
    }

    @Test
    void timeInWhichTheWholeJvmWasStoppedDoesNotCount() {
        zero.waitFor(1);
        one.waitFor(0);
        assertThat(watch.look(STEP, question)).isEmpty();
        assertThat(watch.look(Duration.ofHours(1), question)).isEmpty();
        assertThat(watch.look(Duration.ofHours(1), question)).isEmpty();
    }

    @Test
    void cyclesAreFoundAmongSeveralWaiters() {
        assertThat(WaitCycle.find(List.of(waiter(0, 1), waiter(1, 2), waiter(2, 1))))
                .containsExactly(1, 2);
        assertThat(WaitCycle.find(List.of(waiter(3, 3)))).containsExactly(3);
        assertThat(WaitCycle.find(List.of(waiter(0, 1), waiter(0, 2), waiter(2, 0))))
                .containsExactly(0, 2);
        assertThat(WaitCycle.find(List.of(waiter(0, 1), waiter(1, Waiter.ANYBODY))))
                .isEmpty();
        assertThat(WaitCycle.find(List.of())).isEmpty();
    }

    private static Waiter waiter(int rank, int peer) {
        return new Waiter(rank, "rank-" + rank, "receive", peer, "");
    }
}
