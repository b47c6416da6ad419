package org.galerna.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DoorbellTest {
    private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final Duration SHORT = Duration.ofSeconds(15);

    static Stream<Arguments> fencesKindsAndWaiters() {
        return Stream.of(FenceMode.values())
                .flatMap(mode -> Stream.of(Teams.Kind.values())
                        .flatMap(kind -> Stream.of(1, 4).map(waiters -> Arguments.of(mode, kind, waiters))));
    }

    /** Each waiter waits for turns that the ringer gives out; one lost wake-up costs it 30 s, and the test its time. */
    @ParameterizedTest
    @MethodSource("fencesKindsAndWaiters")
    void losesNoWakeUp(FenceMode mode, Teams.Kind kind, int waiters) throws Exception {
        Doorbell doorbell = new Doorbell(mode.fence());
        AtomicInteger turn = new AtomicInteger();
        AtomicInteger answers = new AtomicInteger();
        int turns = 2000;
        long start = System.nanoTime();
        Teams.run(kind, waiters + 1, me -> {
            if (me == waiters) {
                for (int each = 1; each <= turns; each++) {
                    turn.setRelease(each);
                    doorbell.ring();
                    while (answers.getAcquire() < each * waiters) {
                        Thread.yield();
                    }
                }
                return;
            }
            for (int each = 1; each <= turns; each++) {
                while (turn.getAcquire() < each) {
                    doorbell.prepare();
                    if (turn.getAcquire() >= each) {
                        doorbell.cancel();
                    } else {
                        doorbell.sleep(LONG_NANOS);
                    }
                }
                answers.incrementAndGet();
            }
        });
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SHORT);
    }

    @Test
    void aRingBetweenPrepareAndSleepEndsTheSleepAtOnce() {
        Doorbell doorbell = new Doorbell(new AsymmetricFence(null));
        doorbell.prepare();
        doorbell.ring();
        long start = System.nanoTime();
        doorbell.sleep(LONG_NANOS);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SHORT);
    }

    @Test
    void aRingIsNotForgottenWhenALockTakesTheWakeUpAway() {
        Doorbell doorbell = new Doorbell(new AsymmetricFence(null));
        doorbell.prepare();
        doorbell.ring();
        LockSupport.park(); // returns at once, as inside any lock that the waiter takes for its last look
        long start = System.nanoTime();
        doorbell.sleep(LONG_NANOS);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SHORT);
    }

    @Test
    void sleepEndsWhenItsTimeIsOver() {
        Doorbell doorbell = new Doorbell(new AsymmetricFence(null));
        doorbell.prepare();
        doorbell.sleep(1_000_000);
        doorbell.ring();
    }

    @Test
    void sleepEndsWhenTheThreadIsInterrupted() {
        Doorbell doorbell = new Doorbell(new AsymmetricFence(null));
        doorbell.prepare();
        Thread.currentThread().interrupt();
        long start = System.nanoTime();
        doorbell.sleep(LONG_NANOS);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SHORT);
    }

    @Test
    void aCancelledAnnouncementIsNotRungFor() {
        Doorbell doorbell = new Doorbell(new AsymmetricFence(null));
        doorbell.prepare();
        doorbell.cancel();
        doorbell.ring();
        long start = System.nanoTime();
        LockSupport.parkNanos(20_000_000);
        assertThat(System.nanoTime() - start)
                .as("time asleep: no wake-up was left behind")
                .isGreaterThan(10_000_000);
    }
}
