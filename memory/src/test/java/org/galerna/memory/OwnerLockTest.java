package org.galerna.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OwnerLockTest {
    private static final long RUN_NANOS = TimeUnit.MILLISECONDS.toNanos(150);

    static Stream<Arguments> fencesThreadsAndKinds() {
        return Stream.of(FenceMode.values())
                .flatMap(mode -> Stream.of(Teams.Kind.values())
                        .flatMap(kind -> Stream.of(1, 2, 8).map(threads -> Arguments.of(mode, kind, threads))));
    }

    /** Plain fields, so that a second thread inside or a missing edge shows as a wrong sum. */
    private static final class Guarded {
        final OwnerLock lock;
        long count;
        boolean inside;

        Guarded(AsymmetricFence fence) {
            lock = new OwnerLock(fence);
        }

        void work() {
            assertThat(inside).as("another thread is inside").isFalse();
            inside = true;
            count++;
            inside = false;
        }
    }

    @ParameterizedTest
    @MethodSource("fencesThreadsAndKinds")
    void keepsThreadsApart(FenceMode mode, Teams.Kind kind, int threads) throws Exception {
        Guarded guarded = new Guarded(mode.fence());
        long[] entered = new long[threads];
        long end = System.nanoTime() + RUN_NANOS;
        Teams.run(kind, threads, me -> {
            // each at least once, however late it was started
            while (System.nanoTime() < end || entered[me] == 0) {
                if ((entered[me] & 7) == 7) {
                    if (!guarded.lock.tryLock()) {
                        Thread.yield();
                        continue;
                    }
                } else {
                    guarded.lock.lock();
                }
                try {
                    guarded.work();
                } finally {
                    guarded.lock.unlock();
                }
                entered[me]++;
            }
        });
        assertThat(guarded.count)
                .isEqualTo(Stream.of(entered)
                        .flatMapToLong(java.util.Arrays::stream)
                        .sum());
        assertThat(guarded.lock.isShared()).isEqualTo(threads > 1);
    }

    /** The moment that is hard: the second thread comes while the owner goes in and out. */
    @ParameterizedTest
    @EnumSource(FenceMode.class)
    void keepsOwnerAndRevokerApartAtTheFirstMeeting(FenceMode mode) throws Exception {
        AsymmetricFence fence = mode.fence();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
        int meetings = 0;
        while (System.nanoTime() < end || meetings < 10) {
            Guarded guarded = new Guarded(fence);
            int ahead = meetings % 50;
            AtomicInteger entered = new AtomicInteger();
            Teams.run(Teams.Kind.PLATFORM, 2, me -> {
                if (me == 1) {
                    while (entered.getOpaque() < ahead) {
                        Thread.onSpinWait();
                    }
                }
                for (int round = 0; round < 100; round++) {
                    guarded.lock.lock();
                    guarded.work();
                    guarded.lock.unlock();
                    if (me == 0) {
                        entered.setOpaque(round + 1);
                    }
                }
            });
            assertThat(guarded.count).as("meeting %s", meetings).isEqualTo(200);
            meetings++;
        }
    }

    /** The owner and a visitor come and go all the time; after a while a third thread does, too. */
    @ParameterizedTest
    @EnumSource(FenceMode.class)
    void keepsOwnerVisitorAndOthersApart(FenceMode mode) throws Exception {
        AsymmetricFence fence = mode.fence();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
        int meetings = 0;
        while (System.nanoTime() < end || meetings < 10) {
            Guarded guarded = new Guarded(fence);
            boolean third = meetings % 2 == 1;
            AtomicInteger visits = new AtomicInteger();
            CountDownLatch owned = new CountDownLatch(1);
            Teams.run(Teams.Kind.PLATFORM, third ? 3 : 2, me -> {
                if (me == 0) {
                    guarded.lock.lock();
                    guarded.lock.unlock();
                    owned.countDown();
                } else {
                    owned.await();
                }
                if (me == 1) {
                    guarded.lock.visitedBy(Thread.currentThread());
                }
                for (int round = 0; round < 200; ) {
                    if (me == 2 && visits.getOpaque() < 100) {
                        Thread.onSpinWait();
                        continue;
                    }
                    if ((round & 3) == 3) {
                        if (!guarded.lock.tryLock()) {
                            Thread.yield();
                            continue;
                        }
                    } else {
                        guarded.lock.lock();
                    }
                    guarded.work();
                    guarded.lock.unlock();
                    round++;
                    if (me == 1) {
                        visits.setOpaque(round);
                    }
                }
            });
            assertThat(guarded.count).as("meeting %s", meetings).isEqualTo(third ? 600 : 400);
            assertThat(guarded.lock.isShared()).isEqualTo(third);
            meetings++;
        }
    }

    @ParameterizedTest
    @EnumSource(FenceMode.class)
    void belongsToItsFirstThreadUntilASecondOneComes(FenceMode mode) throws Exception {
        OwnerLock lock = new OwnerLock(mode.fence());
        for (int round = 0; round < 10; round++) {
            lock.lock();
            lock.unlock();
            assertThat(lock.tryLock()).isTrue();
            lock.unlock();
        }
        assertThat(lock.isShared()).isFalse();
        Teams.run(Teams.Kind.PLATFORM, 1, me -> {
            lock.lock();
            lock.unlock();
        });
        assertThat(lock.isShared()).isTrue();
        lock.lock();
        lock.unlock();
    }

    @ParameterizedTest
    @EnumSource(FenceMode.class)
    void itsOwnerAloneLocksItAsOwnerAndNobodyOnceItIsShared(FenceMode mode) throws Exception {
        OwnerLock lock = new OwnerLock(mode.fence());
        assertThat(lock.tryLockAsOwner()).as("before it has an owner").isFalse();
        lock.lock();
        lock.unlock();
        Teams.run(
                Teams.Kind.PLATFORM, 1, me -> assertThat(lock.tryLockAsOwner()).isFalse());
        assertThat(lock.isShared()).as("asking does not share it").isFalse();
        assertThat(lock.tryLockAsOwner()).isTrue();
        lock.unlock();
        Teams.run(Teams.Kind.PLATFORM, 1, me -> {
            lock.lock();
            lock.unlock();
        });
        assertThat(lock.tryLockAsOwner()).as("once it is shared").isFalse();
    }

    @Test
    void aSecondThreadWaitsForTheOwner() throws Exception {
        OwnerLock lock = new OwnerLock(new AsymmetricFence(null));
        AtomicBoolean second = new AtomicBoolean();
        lock.lock();
        Thread thread = Thread.ofPlatform().start(() -> {
            lock.lock();
            second.set(true);
            lock.unlock();
        });
        while (!lock.isShared()) {
            Thread.onSpinWait();
        }
        assertThat(second).isFalse();
        lock.unlock();
        thread.join();
        assertThat(second).isTrue();
    }

    @Test
    void tryLockDoesNotWaitOnceItIsShared() throws Exception {
        OwnerLock lock = new OwnerLock(new AsymmetricFence(null));
        Teams.run(Teams.Kind.PLATFORM, 2, me -> {
            lock.lock();
            lock.unlock();
        });
        lock.lock();
        lock.unlock();
        assertThat(lock.isShared()).isTrue();
        CountDownLatch held = new CountDownLatch(1);
        AtomicBoolean release = new AtomicBoolean();
        Thread holder = Thread.ofPlatform().start(() -> {
            lock.lock();
            held.countDown();
            while (!release.get()) {
                LockSupport.park();
            }
            lock.unlock();
        });
        held.await();
        assertThat(lock.tryLock()).isFalse();
        release.set(true);
        LockSupport.unpark(holder);
        holder.join();
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
    }
}
