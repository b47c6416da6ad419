package org.galerna.testkit.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.link.Channel;
import org.galerna.link.CommunicationException;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.Wireup;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Payload;
import org.galerna.testkit.RankThreads;
import org.galerna.testkit.process.TestLauncher;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What every link keeps about channels: when they are made, to whom, and how they are closed. */
interface LinkConnecting extends LinkSubject {
    @Test
    default void theOwnRankIsAPeerLikeAnyOther() {
        runJob(2, rank -> {
            int me = rank.rank();
            assertThat(rank.link().connect(me).peer()).isEqualTo(me);
            List<Integer> sizes = LinkFrames.sizes(rank.link().traits());
            for (int number = 0; number < sizes.size(); number++) {
                rank.send(me, sizes.get(number), number);
                rank.expect(me, sizes.get(number), number);
            }
            Channel channel = rank.link().connect(me);
            int frames = 0;
            long claim;
            while ((claim = channel.claim(32)) >= 0) {
                Payload.fill(channel.memory(), Channel.offset(claim), 32, frames++);
                channel.commit(claim, 32);
            }
            channel.flush();
            assertThat(claim).isEqualTo(Channel.BACK_PRESSURE);
            for (int number = 0; number < frames; number++) {
                rank.expect(me, 32, number);
            }
            rank.send(me, 32, 1);
            rank.expect(me, 32, 1);
        });
    }

    @Test
    @Tag(TestLauncher.SLOW_IN_GUEST)
    default void connectsAtTheFirstUseAndKeepsTheChannel() {
        runJob(17, rank -> {
            for (int peer = 0; peer < rank.size(); peer++) {
                Channel channel = rank.link().connect(peer);
                assertThat(channel.peer()).isEqualTo(peer);
                assertThat(rank.link().connect(peer)).isSameAs(channel);
                rank.send(peer, 100, Payload.seed(rank.rank(), peer));
            }
            for (int peer = 0; peer < rank.size(); peer++) {
                rank.expect(peer, 100, Payload.seed(peer, rank.rank()));
            }
        });
    }

    @Test
    @Fault(23)
    @Tag(TestLauncher.SLOW_IN_GUEST)
    default void ranksMayConnectToEachOtherAtTheSameMoment() {
        for (int round = 0; round < 100; round++) {
            AtomicInteger arrived = new AtomicInteger();
            runJob(2, rank -> {
                arrived.incrementAndGet();
                while (arrived.get() < 2) {
                    Thread.onSpinWait();
                }
                rank.sendLong(1 - rank.rank(), 5);
                assertThat(rank.receiveLong(1 - rank.rank())).isEqualTo(5);
            });
        }
    }

    /** Before the fence, a peer may not have attached yet: then connecting says so, or claims press back. */
    @Test
    default void aPeerThatHasNotAttachedYetIsNoHarm() {
        List<? extends Wireup> job = newJob(2);
        AtomicBoolean tried = new AtomicBoolean();
        RankThreads.run(2, me -> {
            if (me == 1) {
                Deadline.after(RankThreads.LIMIT).await("rank 0 has tried", tried::get);
            }
            try (Wireup wireup = job.get(me);
                    Link link = provider().open(wireup, LinkOptions.DEFAULT)) {
                if (me == 0) {
                    assertThatCode(() -> assertThat(link.connect(1).claim(8)).isEqualTo(Channel.BACK_PRESSURE))
                            .satisfiesAnyOf(
                                    thrown -> assertThat(thrown).isNull(),
                                    thrown -> assertThat(thrown)
                                            .isInstanceOf(CommunicationException.class)
                                            .hasMessageContaining("rank 1"));
                    tried.set(true);
                }
                wireup.fence();
                Channel channel = link.connect(1 - me);
                Deadline deadline = Deadline.after(RankThreads.LIMIT);
                List<Integer> received = new ArrayList<>();
                CountingHandler handler = new CountingHandler((peer, length) -> received.add(length));
                long claim;
                while ((claim = channel.claim(8)) == Channel.BACK_PRESSURE) {
                    link.poll(handler, 1);
                    deadline.check("room to rank " + (1 - me));
                }
                channel.commit(claim, 8);
                channel.flush();
                deadline.await("a frame", () -> link.poll(handler, 1) >= 0 && received.contains(8));
                wireup.fence();
            }
        });
    }

    @Test
    @Fault(23)
    default void aClosedChannelDeliversWhatWasCommittedAndMakesWayForAnother() {
        runJob(2, rank -> {
            int peer = 1 - rank.rank();
            for (int round = 0; round < 20; round++) {
                Channel channel = rank.link().connect(peer);
                for (int number = 0; number < 10; number++) {
                    rank.put(peer, 100 * number, number);
                }
                channel.flush();
                channel.close();
                channel.close();
                assertThat(channel.claim(8)).isEqualTo(Channel.CLOSED);
                for (int number = 0; number < 10; number++) {
                    rank.expect(peer, 100 * number, number);
                }
                assertThat(rank.link().connect(peer)).isNotSameAs(channel);
                assertThat(rank.lost()).isEmpty();
                rank.barrier();
            }
        });
    }
}
