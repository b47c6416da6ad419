package org.galerna.link.ucx;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.link.Channel;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Payload;
import org.galerna.testkit.link.LinkRank;
import org.junit.jupiter.api.Test;

/** Messages that UCX has taken, and the peer's program has not. */
class BackPressureTest implements UcxLinkSubject {
    private static final int LENGTH = 5000;

    /** Several times as many as the window and the ring have room for. */
    private static final int MOST_FRAMES = 5000;

    private static final Duration STANDSTILL = Duration.ofMillis(500);

    /** A rank that is about to sleep, again and again, has UCX take what comes, as UCX's own thread does over {@code ud}. */
    @Test
    @Fault({5, 21})
    void aProgramThatTakesNothingPressesBackWhateverUcxTakes() {
        AtomicInteger sent = new AtomicInteger(-1);
        runJob(2, rank -> {
            if (rank.rank() == 0) {
                sent.set(sendWhatThereIsRoomFor(rank));
                rank.receiveLong(1);
                assertThat(sent.get()).isBetween(1, MOST_FRAMES - 1);
                return;
            }
            while (sent.get() < 0) {
                rank.link().waiter().prepare();
                rank.link().waiter().cancel();
            }
            for (int number = 0; number < sent.get(); number++) {
                rank.expect(0, LENGTH, Payload.seed(0, number));
            }
            rank.sendLong(0, 0);
        });
    }

    /** Returns the number of frames that have gone when no more have for a while. */
    private static int sendWhatThereIsRoomFor(LinkRank rank) {
        Channel channel = rank.link().connect(1);
        int frames = 0;
        long last = System.nanoTime();
        while (frames < MOST_FRAMES && System.nanoTime() - last < STANDSTILL.toNanos()) {
            long claim = channel.claim(LENGTH);
            if (claim < 0) {
                assertThat(claim).isEqualTo(Channel.BACK_PRESSURE);
                rank.poll();
                continue;
            }
            Payload.fill(channel.memory(), Channel.offset(claim), LENGTH, Payload.seed(0, frames));
            channel.commit(claim, LENGTH);
            channel.flush();
            frames++;
            last = System.nanoTime();
        }
        return frames;
    }

    /** Far more messages than may be unread: the peer says again and again what it has taken. */
    @Test
    @Fault(21)
    void messagesGoOnAsTheyAreTaken() {
        int frames = 20_000;
        runJob(2, rank -> {
            int peer = 1 - rank.rank();
            for (int number = 0; number < frames; number++) {
                if (rank.rank() == 0) {
                    rank.send(peer, Long.BYTES, Payload.seed(0, number));
                } else {
                    rank.expect(peer, Long.BYTES, Payload.seed(0, number));
                }
            }
            if (rank.rank() == 0) {
                rank.receiveLong(peer);
            } else {
                rank.sendLong(peer, 0);
            }
        });
    }
}
