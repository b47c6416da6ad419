package org.galerna.testkit.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.Wireup;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.Fault;
import org.galerna.testkit.RankThreads;
import org.galerna.testkit.process.TestLauncher;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What every link keeps about waiting: no wake-up is lost, and none takes longer than it must. */
interface LinkWaiting extends LinkSubject {
    /** So long that a test in which one wake-up is lost fails. */
    long LONG_NANOS = TimeUnit.SECONDS.toNanos(40L * RankThreads.PATIENCE_FACTOR);

    /** What a test without a lost wake-up takes at most. */
    Duration SHORT = Duration.ofSeconds(20L * RankThreads.PATIENCE_FACTOR);

    @Test
    default void aSleepingRankIsWokenByEveryFrame() {
        long start = System.nanoTime();
        runJob(2, rank -> pingPong(rank, 1 - rank.rank(), 2000));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SHORT);
    }

    @Test
    @Tag(TestLauncher.SLOW_IN_GUEST)
    default void virtualThreadsSleepWithoutHoldingTheirCarriers() {
        ThreadFactory virtual = Thread.ofVirtual().factory();
        int pairs = 4 * Runtime.getRuntime().availableProcessors();
        List<? extends Wireup> job = newJob(2 * pairs);
        long start = System.nanoTime();
        RankThreads.run(virtual, 2 * pairs, RankThreads.LIMIT, me -> {
            try (Wireup wireup = job.get(me);
                    LinkRank rank = LinkRank.open(provider(), wireup, LinkOptions.DEFAULT)) {
                pingPong(rank, me ^ 1, 50);
            }
        });
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SHORT);
    }

    private static void pingPong(LinkRank rank, int peer, int rounds) {
        for (int round = 0; round < rounds; round++) {
            if (rank.rank() < peer) {
                rank.sendLong(peer, round);
            }
            sleepUntilReceived(rank, peer);
            assertThat(rank.receiveLong(peer)).isEqualTo(round);
            if (rank.rank() > peer) {
                rank.sendLong(peer, round);
            }
        }
    }

    private static void sleepUntilReceived(LinkRank rank, int peer) {
        while (rank.inbox(peer).isEmpty()) {
            if (rank.poll() > 0) {
                continue;
            }
            rank.link().waiter().prepare();
            if (rank.poll() > 0) {
                rank.link().waiter().cancel();
            } else {
                rank.link().waiter().await(LONG_NANOS);
            }
        }
    }

    @Test
    @Fault(17)
    default void aPeerThatStopsWakesTheSleepers() {
        for (int round = 0; round < 30; round++) {
            long start = System.nanoTime();
            runJob(2, rank -> {
                if (rank.rank() == 1) {
                    return;
                }
                while (rank.lost().isEmpty()) {
                    rank.link().waiter().prepare();
                    if (rank.poll() > 0) {
                        rank.link().waiter().cancel();
                    } else {
                        rank.link().waiter().await(LONG_NANOS);
                    }
                }
            });
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SHORT);
        }
    }

    @Test
    default void wakeUpEndsTheSleepOfEveryThread() {
        long start = System.nanoTime();
        runJob(1, rank -> {
            Link link = rank.link();
            AtomicInteger turn = new AtomicInteger();
            AtomicInteger answers = new AtomicInteger();
            int sleepers = 3;
            int turns = 300;
            RankThreads.run(sleepers + 1, me -> {
                for (int each = 1; each <= turns; each++) {
                    if (me == sleepers) {
                        turn.set(each);
                        link.waiter().wakeUp();
                        int expected = each * sleepers;
                        Deadline.after(RankThreads.LIMIT).await("all answers", () -> answers.get() >= expected);
                    } else {
                        sleepUntil(link, turn, each);
                        answers.incrementAndGet();
                    }
                }
            });
        });
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SHORT);
    }

    private static void sleepUntil(Link link, AtomicInteger turn, int wanted) {
        while (turn.get() < wanted) {
            link.waiter().prepare();
            if (turn.get() >= wanted) {
                link.waiter().cancel();
            } else {
                link.waiter().await(LONG_NANOS);
            }
        }
    }

    @Test
    default void aWakeUpBetweenAnnouncementAndSleepIsNotLost() {
        runJob(1, rank -> {
            Link link = rank.link();
            long start = System.nanoTime();
            for (int round = 0; round < 100; round++) {
                link.waiter().prepare();
                link.waiter().wakeUp();
                link.waiter().await(LONG_NANOS);
            }
            link.waiter().prepare();
            link.waiter().wakeUp();
            LockSupport.parkNanos(1); // as a lock may do that the thread takes for its last look
            link.waiter().await(LONG_NANOS);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SHORT);
        });
    }

    @Test
    default void aFrameBetweenAnnouncementAndSleepIsNotLost() {
        runJob(2, rank -> {
            if (rank.rank() == 1) {
                for (int round = 0; round < 100; round++) {
                    assertThat(rank.receiveLong(0)).isEqualTo(round);
                    rank.sendLong(0, round);
                }
                return;
            }
            long start = System.nanoTime();
            for (int round = 0; round < 100; round++) {
                rank.link().waiter().prepare();
                rank.sendLong(1, round); // the answer may come before, while or after this thread goes to sleep
                if (rank.poll() > 0) {
                    rank.link().waiter().cancel();
                } else {
                    rank.link().waiter().await(LONG_NANOS);
                }
                sleepUntilReceived(rank, 1);
                assertThat(rank.receiveLong(1)).isEqualTo(round);
            }
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SHORT);
        });
    }

    @Test
    default void sleepEndsWhenItsTimeIsOver() {
        runJob(1, rank -> {
            List<Long> slept = new ArrayList<>();
            for (int round = 0; round < 5; round++) {
                long start = System.nanoTime();
                rank.link().waiter().prepare();
                rank.link().waiter().await(TimeUnit.MILLISECONDS.toNanos(20));
                slept.add(System.nanoTime() - start);
            }
            assertThat(slept).allSatisfy(nanos -> assertThat(nanos).isLessThan(SHORT.toNanos()));
            assertThat(slept)
                    .as("at least one of the sleeps has lasted")
                    .anySatisfy(nanos -> assertThat(nanos).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(10)));
        });
    }
}
