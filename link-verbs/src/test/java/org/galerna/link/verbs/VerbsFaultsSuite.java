package org.galerna.link.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import org.galerna.link.support.Frames;
import org.galerna.link.verbs.connection.Connections;
import org.galerna.link.verbs.wire.Word;
import org.galerna.nativeaccess.verbs.QueuePair;
import org.galerna.nativeaccess.verbs.SendRequest;
import org.galerna.testkit.Fault;
import org.galerna.testkit.link.LinkRank;
import org.galerna.testkit.process.TestLauncher;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Peers and adapters that go wrong, where there is an adapter: {@link AdapterTest} runs it. */
class VerbsFaultsSuite implements VerbsSubject {
    private static final int FINE = 2;

    private static QueuePair pair(LinkRank rank, int peer) {
        QueuePair pair = ((VerbsLink) rank.link()).connections().to(peer).pair();
        if (pair == null) {
            throw new AssertionError("rank " + rank.rank() + " has no queue pair to rank " + peer);
        }
        return pair;
    }

    /** What rank 1 does to rank 0 once all are connected. */
    private interface Crime {
        void commit(LinkRank rank) throws Exception;
    }

    /** Ranks 0 and 1 lose each other, and rank 0 goes on with rank 2. */
    private void onlyTheCriminalIsLost(String reason, Crime crime) {
        CyclicBarrier over = new CyclicBarrier(3);
        CountDownLatch committed = new CountDownLatch(1);
        runJob(3, rank -> {
            rank.barrier();
            if (rank.rank() == 1) {
                crime.commit(rank);
                committed.countDown();
                rank.pollUntil("the loss of rank 0", () -> rank.lost().containsKey(0));
            } else if (rank.rank() == 0) {
                committed.await();
                rank.pollUntil("the loss of rank 1", () -> rank.lost().containsKey(1));
                assertThat(rank.lost().get(1)).contains(reason);
                for (int number = 0; number < 200; number++) {
                    rank.send(FINE, number, number);
                }
                rank.expect(FINE, 7, 1);
                assertThat(rank.lost()).doesNotContainKey(FINE);
            } else {
                for (int number = 0; number < 200; number++) {
                    rank.expect(0, number, number);
                }
                rank.send(0, 7, 1);
                assertThat(rank.lost()).doesNotContainKey(0);
            }
            over.await();
        });
    }

    /** A message that is no message of the link's. */
    private static void post(LinkRank rank, int word, long... contents) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(Math.max(8, 8L * contents.length), 8);
            for (int index = 0; index < contents.length; index++) {
                memory.setAtIndex(Frames.LONG, index, contents[index]);
            }
            SendRequest request = new SendRequest();
            request.send(0, memory.address(), 8 * contents.length, 0, true, false)
                    .withImmediate(word);
            assertThat(pair(rank, 0).post(request)).isZero();
        }
    }

    @Test
    @Fault(17)
    void aQueuePairThatIsForcedIntoErrorLosesThatPeerAlone() {
        // rank 0 hears of it from rank 1, or from the end of the connection
        onlyTheCriminalIsLost("connection", rank -> {
            pair(rank, 0).fail();
            rank.sendIfThere(0, 10, 1); // an adapter does not look before
        });
    }

    @Test
    @Fault(6)
    @Tag(TestLauncher.SLOW_IN_GUEST)
    void garbageInTheImmediateWordLosesThatPeerAlone() {
        long frame = Frames.header(Frames.FRAME, 8);
        onlyTheCriminalIsLost("no known kind", rank -> post(rank, Word.of(7, 1, 0), frame, 5));
        onlyTheCriminalIsLost("says to be rank 2", rank -> post(rank, Word.of(Word.FRAMES, FINE, 0), frame, 5));
        onlyTheCriminalIsLost("says to be rank 0", rank -> post(rank, Word.of(Word.FRAMES, 0, 0), frame, 5));
        onlyTheCriminalIsLost("says to be rank 65535", rank -> post(rank, -1, frame, 5));
    }

    @Test
    @Fault({3, 6})
    void garbageInFramesLosesThatPeerAlone() {
        int word = Word.of(Word.FRAMES, 1, 0);
        String reason = "does not keep to the protocol";
        onlyTheCriminalIsLost(reason, rank -> post(rank, word)); // no frame at all
        onlyTheCriminalIsLost(reason, rank -> post(rank, word, Frames.header(Frames.FRAME, 9), 5));
        onlyTheCriminalIsLost(reason, rank -> post(rank, word, Frames.header(Frames.FRAME, (1 << 29) - 1), 5));
        onlyTheCriminalIsLost(reason, rank -> post(rank, word, Frames.header(Frames.SKIP, 8), 5));
        onlyTheCriminalIsLost(reason, rank -> post(rank, word, 0, 0));
        onlyTheCriminalIsLost(reason, rank -> post(rank, word, Frames.header(Frames.TRANSFER, 8), 5));
        onlyTheCriminalIsLost(
                reason, rank -> post(rank, word, Frames.header(Frames.TRANSFER, 56), 99, 0, -1, -1, -1, -1, 0));
    }

    @Test
    @Fault({3, 5})
    void moreMessagesThanThereIsCreditForLoseThatPeerAlone() {
        long[] frames = new long[20]; // so many in each that rank 0 hands over fewer messages than it takes
        Arrays.fill(frames, Frames.header(Frames.FRAME, 0));
        onlyTheCriminalIsLost("more than it was given credit for", rank -> {
            for (int number = 0; number < 100; number++) {
                post(rank, Word.of(Word.FRAMES, 1, 0), frames);
            }
        });
    }

    @Test
    @Tag(TestLauncher.SLOW_IN_GUEST)
    void connectionsAreMadeOnDemandOnly() {
        int size = 16;
        runJob(size, rank -> {
            Connections connections = ((VerbsLink) rank.link()).connections();
            assertThat(connections.connected()).isZero();
            rank.wireup().fence();
            int next = (rank.rank() + 1) % size;
            int before = (rank.rank() + size - 1) % size;
            rank.send(next, 100, rank.rank());
            rank.expect(before, 100, before);
            assertThat(connections.connected()).isBetween(1, 2);
            rank.sendLong(before, 1);
            rank.receiveLong(next);
            assertThat(connections.connected()).isEqualTo(2);
            rank.wireup().fence();
            for (int peer = 0; peer < size; peer++) {
                rank.send(peer, 1000 + peer, rank.rank() * 100L + peer);
            }
            for (int peer = 0; peer < size; peer++) {
                rank.expect(peer, 1000 + rank.rank(), peer * 100L + rank.rank());
            }
            assertThat(connections.connected()).isEqualTo(size - 1);
            rank.barrier();
        });
    }
}
