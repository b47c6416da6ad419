package org.galerna.testkit.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.link.Channel;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkTraits;
import org.galerna.link.Wireup;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Payload;
import org.galerna.testkit.RankThreads;
import org.galerna.testkit.Seeds;
import org.galerna.testkit.process.TestLauncher;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What every link keeps about opening, leaving and closing. */
interface LinkLife extends LinkSubject {
    @Test
    default void saysWhatItIsAndCan() {
        runJob(2, rank -> {
            assertThat(rank.link().name()).isEqualTo(provider().name());
            LinkTraits traits = rank.link().traits();
            assertThat(traits).isEqualTo(rank.link().traits());
            assertThat(traits.maximumFrame()).isGreaterThanOrEqualTo(1024);
            assertThat(traits.inlineFrame()).isBetween(0, traits.maximumFrame());
            assertThat(provider().unavailable(rank.wireup())).isEmpty();
        });
    }

    @Test
    default void takesSizesThatAreAskedFor() {
        runJob(2, new LinkOptions(16, 4096, false), rank -> {
            int peer = 1 - rank.rank();
            int maximum = rank.link().traits().maximumFrame();
            for (int number = 0; number < 100; number++) {
                rank.send(peer, number % 2 == 0 ? maximum : 5, number);
                rank.expect(peer, number % 2 == 0 ? maximum : 5, number);
            }
        });
    }

    @Test
    @Fault(17)
    default void deliversTheLastFramesBeforeItReportsThePeerLost() {
        for (int frames : new int[] {0, 1, 30, 500}) {
            AtomicBoolean gone = new AtomicBoolean();
            runJob(2, rank -> {
                if (rank.rank() == 1) {
                    for (int number = 0; number < frames; number++) {
                        rank.put(0, number * 13 % 400, number);
                    }
                    gone.set(frames < 100); // more than fit need a receiver that polls
                    rank.close();
                    gone.set(true);
                    return;
                }
                if (frames < 100) {
                    Deadline.after(RankThreads.LIMIT).await("rank 1 is about to leave", gone::get);
                }
                rank.pollUntil("the loss of rank 1", () -> rank.lost().containsKey(1));
                assertThat(rank.inbox(1)).hasSize(frames);
                for (int number = 0; number < frames; number++) {
                    rank.expect(1, number * 13 % 400, number);
                }
            });
        }
    }

    @Test
    @Fault(17)
    default void refusesClaimsToAPeerThatHasStopped() {
        runJob(3, rank -> {
            if (rank.rank() == 1) {
                rank.sendLong(0, 1);
                return;
            }
            if (rank.rank() == 0) {
                rank.receiveLong(1);
                Channel channel = rank.link().connect(1);
                rank.pollUntil("the loss of rank 1", () -> rank.lost().containsKey(1));
                assertThat(channel.claim(8)).isEqualTo(Channel.CLOSED);
                assertThat(channel.claim(0)).isEqualTo(Channel.CLOSED);
                channel.flush();
                rank.sendLong(2, 5);
            } else {
                // this one has never talked to rank 1
                rank.pollUntil("the loss of rank 1", () -> rank.lost().containsKey(1));
                assertThat(rank.link().connect(1).claim(8)).isEqualTo(Channel.CLOSED);
                assertThat(rank.receiveLong(0)).isEqualTo(5);
            }
        });
    }

    @Test
    @Fault(17)
    @Tag(TestLauncher.SLOW_IN_GUEST)
    default void reportsEveryPeerThatLeavesOnceToEveryOther() {
        long seed = Seeds.next("reportsEveryPeerThatLeavesOnceToEveryOther");
        for (int round = 0; round < 20; round++) {
            Random random = new Random(seed + round);
            int frames = random.nextInt(50);
            int stays = random.nextInt(6);
            runJob(6, rank -> {
                for (int peer = 0; peer < rank.size(); peer++) {
                    for (int number = 0; number < frames; number++) {
                        rank.sendIfThere(peer, 20, Payload.seed(rank.rank(), number));
                    }
                }
                if (rank.rank() != stays) {
                    return;
                }
                rank.pollUntil("the loss of all others", () -> rank.lost().size() == rank.size() - 1);
                for (int peer = 0; peer < rank.size(); peer++) {
                    for (int number = 0; number < frames; number++) {
                        rank.expect(peer, 20, Payload.seed(peer, number));
                    }
                    assertThat(rank.inbox(peer)).isEmpty();
                }
                for (int look = 0; look < 10; look++) {
                    assertThat(rank.poll())
                            .as("frames or losses after the last")
                            .isZero();
                }
                rank.sendLong(stays, 7);
                assertThat(rank.receiveLong(stays)).as("to the own rank").isEqualTo(7);
            });
        }
    }

    @Test
    @Fault(23)
    default void everyStepOfClosingMayBeRepeated() {
        runJob(2, rank -> {
            int peer = 1 - rank.rank();
            rank.sendLong(peer, 1);
            rank.receiveLong(peer);
            Link link = rank.link();
            link.stop();
            link.stop();
            assertThat(link.drain(RankThreads.LIMIT.toNanos())).isTrue();
            assertThat(link.drain(0)).isTrue();
            link.close();
            link.close();
            link.stop();
            assertThat(link.drain(0)).isTrue();
            link.close();
        });
    }

    @Test
    @Fault(23)
    default void closeImpliesTheOtherStepsAndFramesNobodyHasRead() {
        for (int round = 0; round < 10; round++) {
            AtomicInteger closed = new AtomicInteger();
            runJob(2, rank -> {
                int peer = 1 - rank.rank();
                for (int number = 0; number < 10; number++) {
                    rank.sendIfThere(peer, 300, number);
                }
                if (rank.rank() == 0) {
                    rank.link().close();
                    closed.incrementAndGet();
                } else {
                    rank.pollUntil("the loss of rank 0", () -> rank.lost().containsKey(0));
                    assertThat(rank.link().connect(0).claim(8)).isEqualTo(Channel.CLOSED);
                }
            });
        }
    }

    @Test
    default void whatIsUnderWayIsDrainedWhileThePeerReads() {
        int frames = 2000;
        runJob(2, rank -> {
            if (rank.rank() == 0) {
                for (int number = 0; number < frames; number++) {
                    rank.put(1, 500, number);
                }
                rank.link().stop();
                assertThat(rank.link().drain(RankThreads.LIMIT.toNanos())).isTrue();
                rank.link().close();
                return;
            }
            for (int number = 0; number < frames; number++) {
                rank.expect(0, 500, number);
            }
            rank.pollUntil("the loss of rank 0", () -> rank.lost().containsKey(0));
        });
    }

    /** A rank may attach again; its n-th attachment meets the n-th ones of the others, whoever comes first. */
    @Test
    @Fault(20)
    @Tag(TestLauncher.SLOW_IN_GUEST)
    default void ranksMayAttachAgainAndAgain() {
        int size = 3;
        List<? extends Wireup> job = newJob(size);
        RankThreads.run(size, me -> {
            try (Wireup wireup = job.get(me)) {
                for (int round = 0; round < 30; round++) {
                    try (LinkRank rank = LinkRank.open(provider(), wireup, LinkOptions.DEFAULT)) {
                        for (int peer = 0; peer < size; peer++) {
                            rank.send(peer, 64, round * 100L + me);
                        }
                        for (int peer = 0; peer < size; peer++) {
                            rank.expect(peer, 64, round * 100L + peer);
                            // a frame that is never read does not turn up in the next round
                            rank.sendIfThere(peer, 8, -1);
                        }
                    }
                }
            }
        });
    }
}
