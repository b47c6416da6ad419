package org.galerna.messaging.waiting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.galerna.testkit.Deadline;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that want the same, and take turns. */
@Timeout(60)
class WaitLineTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long SILENCE_NANOS = 100_000;
    private static final int THREADS = 8;

    private static long soon() {
        return System.nanoTime() + PATIENCE.toNanos();
    }

    @Test
    void oneThreadComesAndGoesAsItLikes() {
        WaitLine line = new WaitLine(SILENCE_NANOS);
        for (int each = 0; each < 1000; each++) {
            assertThat(line.enter(true, soon())).isTrue();
            line.vacate();
        }
    }

    @Test
    void nobodyEntersWhatIsOccupied() throws InterruptedException {
        WaitLine line = new WaitLine(SILENCE_NANOS);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicLong entered = new AtomicLong();
        List<Thread> threads = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            threads.add(Thread.ofPlatform().start(() -> {
                for (int each = 0; each < 500 && line.enter(true, soon()); each++) {
                    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                    entered.incrementAndGet();
                    inside.decrementAndGet();
                    line.vacate();
                }
            }));
        }
        for (Thread each : threads) {
            each.join();
        }
        assertThat(most).hasValue(1);
        assertThat(entered).hasValue(500 * THREADS);
    }

    @Test
    void everyoneGetsItsTurnWhileOthersGoOn() throws InterruptedException {
        WaitLine line = new WaitLine(SILENCE_NANOS);
        CountDownLatch all = new CountDownLatch(THREADS);
        List<Thread> threads = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            threads.add(Thread.ofPlatform().start(() -> {
                boolean first = true;
                while (all.getCount() > 0 && line.enter(true, soon())) {
                    if (first) {
                        all.countDown();
                        first = false;
                    }
                    line.vacate();
                }
            }));
        }
        assertThat(all.await(PATIENCE.toSeconds(), java.util.concurrent.TimeUnit.SECONDS))
                .isTrue();
        for (Thread each : threads) {
            each.join();
        }
    }

    /** Nobody is in it at once with another one, and nobody is forgotten, however threads come, stay, go and give up. */
    @Test
    void threadsThatComeAndGoAtRandomAllGetThrough() throws InterruptedException {
        long seed = Long.getLong("test.seed", System.nanoTime());
        System.out.println("LineTest: repeat with -Dtest.seed=" + seed);
        WaitLine line = new WaitLine(SILENCE_NANOS);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger tooMany = new AtomicInteger();
        AtomicInteger forgotten = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            Random random = new Random(seed + thread);
            threads.add(Thread.ofPlatform().start(() -> {
                for (int burst = 0; burst < 200; burst++) {
                    for (int each = random.nextInt(10); each >= 0; each--) {
                        boolean impatient = random.nextInt(20) == 0;
                        if (!line.enter(true, impatient ? System.nanoTime() + 50_000 : soon())) {
                            forgotten.addAndGet(impatient ? 0 : 1);
                            continue;
                        }
                        tooMany.addAndGet(inside.incrementAndGet() - 1);
                        busy(random.nextInt(50_000));
                        inside.decrementAndGet();
                        line.vacate();
                    }
                    LockSupport.parkNanos(random.nextInt(300_000));
                }
            }));
        }
        for (Thread each : threads) {
            each.join();
        }
        assertThat(tooMany).as("seed %d", seed).hasValue(0);
        assertThat(forgotten).as("seed %d", seed).hasValue(0);
        assertThat(line.enter(true, soon())).isTrue();
    }

    private static void busy(int nanos) {
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    void whoComesAfterAThreadThatHasLeftNeedNotWaitForItsSilence() throws InterruptedException {
        WaitLine line = new WaitLine(Long.MAX_VALUE);
        Thread gone = Thread.ofPlatform().start(() -> {
            assertThat(line.enter(false, soon())).isTrue();
            line.leave();
        });
        gone.join();
        assertThat(line.enter(false, soon())).isTrue();
    }

    @Test
    void whoLeavesWithoutATurnTakesItFromNobody() throws InterruptedException {
        WaitLine line = new WaitLine(Long.MAX_VALUE);
        assertThat(line.enter(true, soon())).isTrue();
        Thread other = Thread.ofPlatform().start(line::leave);
        other.join();
        assertThat(line.isOccupiedByCaller()).isTrue();
    }

    @Test
    void illegalStepsAreRefused() throws InterruptedException {
        WaitLine line = new WaitLine(Long.MAX_VALUE);
        assertThatIllegalStateException().isThrownBy(line::vacate).withMessageContaining("FREE");
        assertThat(line.enter(false, soon())).isTrue();
        assertThatIllegalStateException().isThrownBy(line::vacate).withMessageContaining("HELD");
        assertThat(line.enter(true, soon())).isTrue();
        assertThatIllegalStateException().isThrownBy(() -> line.enter(true, soon()));
        assertThatIllegalStateException().isThrownBy(line::leave);
        AtomicInteger refused = new AtomicInteger();
        Thread other = Thread.ofPlatform().start(() -> {
            assertThatIllegalStateException().isThrownBy(line::vacate).withMessageContaining("OCCUPIED");
            refused.incrementAndGet();
        });
        other.join();
        assertThat(refused).hasValue(1);
        line.vacate();
        line.leave();
    }

    @Test
    void whoWaitsForAThreadThatDoesNotComeBackTakesItsTurn() throws InterruptedException {
        WaitLine line = new WaitLine(SILENCE_NANOS);
        Thread gone = Thread.ofPlatform()
                .start(() -> assertThat(line.enter(false, soon())).isTrue());
        gone.join();
        assertThat(line.enter(false, soon())).isTrue();
    }

    @Test
    void whoWaitsForTooLongHearsIt() throws InterruptedException {
        WaitLine line = new WaitLine(SILENCE_NANOS);
        assertThat(line.enter(true, soon())).isTrue();
        List<Boolean> results = new ArrayList<>();
        Thread late = Thread.ofPlatform().start(() -> results.add(line.enter(true, System.nanoTime() + 1_000_000)));
        late.join();
        assertThat(results).containsExactly(false);
        line.vacate();
        assertThat(line.enter(true, soon())).isTrue(); // the other one is not waited for
    }

    @Test
    void thoseWhoWaitGoWhenItIsDispersed() throws InterruptedException {
        WaitLine line = new WaitLine(SILENCE_NANOS);
        assertThat(line.enter(true, soon())).isTrue();
        AtomicInteger returned = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            threads.add(Thread.ofPlatform().start(() -> {
                if (line.enter(false, soon())) {
                    returned.incrementAndGet();
                }
            }));
        }
        Deadline.after(PATIENCE)
                .await(
                        "threads that wait",
                        () -> threads.stream().allMatch(each -> LockSupport.getBlocker(each) == line));
        line.disperse();
        for (Thread each : threads) {
            each.join();
        }
        assertThat(returned).hasValue(THREADS);
    }

    @Test
    void anInterruptedThreadStillWaitsAndIsInterruptedAfterwards() throws InterruptedException {
        WaitLine line = new WaitLine(SILENCE_NANOS);
        assertThat(line.enter(true, soon())).isTrue();
        AtomicInteger state = new AtomicInteger();
        Thread waiting = Thread.ofPlatform().start(() -> {
            Thread.currentThread().interrupt();
            boolean entered = line.enter(true, soon());
            state.set(entered && Thread.interrupted() ? 1 : 2);
        });
        Deadline.after(PATIENCE).await("a thread that waits", () -> LockSupport.getBlocker(waiting) == line);
        line.vacate();
        waiting.join();
        assertThat(state).hasValue(1);
    }
}
