package org.galerna.link.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.galerna.link.FrameHandler;
import org.galerna.memory.RecordProducer;
import org.galerna.memory.RecordRing;
import org.galerna.memory.SpscProducer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RingWishesTest {
    private static final int RINGS = 16;
    private static final int SLOTS = 64;
    private static final int BYTES = 128;

    private static final FrameHandler IGNORING = new FrameHandler() {
        @Override
        public void onFrame(int peer, MemorySegment memory, long offset, int length) {
            // its number is all that counts
        }

        @Override
        public void onPeerLost(int peer, String reason) {
            throw new AssertionError(reason);
        }
    };

    /** A ring with both ends. */
    private static final class Pair {
        private final SpscProducer producer;
        private final RingFrames frames;

        Pair(int peer) {
            RecordRing ring =
                    RecordRing.create(Arena.ofAuto().allocate(RecordRing.bytes(SLOTS, BYTES), 128), SLOTS, BYTES);
            producer = new SpscProducer(ring);
            frames = new RingFrames(peer, ring);
        }

        void talk() {
            long claim = producer.claim(Long.BYTES);
            assertThat(claim).isGreaterThanOrEqualTo(0);
            assertThat(RecordProducer.offset(claim)).isPositive();
            producer.commit(claim, Long.BYTES);
            assertThat(frames.poll(IGNORING, 1)).isEqualTo(1);
        }
    }

    private final RingWishes wishes = new RingWishes(RINGS);
    private final Pair[] rings = IntStream.range(0, RINGS).mapToObj(Pair::new).toArray(Pair[]::new);

    private List<Pair> ask(int sender) {
        return wishes.review(sender, rings, pair -> pair.frames);
    }

    /** All send as often: a sender asks after each sixteenth of its frames. */
    @ParameterizedTest
    @CsvSource({"17", "64", "1024"})
    void equalSendersDoNotTakeEachOthersRings(int senders) {
        for (int round = 0; round < 200; round++) {
            for (int frame = 0; frame < QueueChannel.BUSY; frame++) {
                Arrays.stream(rings).forEach(Pair::talk);
            }
            for (int sender = RINGS; sender < senders; sender++) {
                assertThat(ask(sender)).as("round %s, sender %s", round, sender).isEmpty();
            }
        }
    }

    /** The others run ahead, and have nobody to wait for until those with a ring have had their turn. */
    @Test
    void aSenderThatComesLaterKeepsItsRing() {
        for (int round = 0; round < 50; round++) {
            Arrays.stream(rings).forEach(Pair::talk);
            for (int wish = 0; wish < 2; wish++) {
                for (int sender = RINGS; sender < 64; sender++) {
                    assertThat(ask(sender)).as("round %s", round).isEmpty();
                }
            }
        }
    }

    @Test
    void eachSilentRingIsTakenBackOnce() {
        int silent = 5;
        int taken = 0;
        for (int wish = 0; wish < 4000; wish++) {
            for (int ring = silent; ring < RINGS; ring++) {
                rings[ring].talk();
            }
            List<Pair> found = ask(RINGS + wish % 3);
            assertThat(found).isSubsetOf(Arrays.asList(rings).subList(0, silent));
            taken += found.size();
        }
        assertThat(taken).isEqualTo(silent);
    }
}
