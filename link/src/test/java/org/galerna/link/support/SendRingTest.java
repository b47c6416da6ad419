package org.galerna.link.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.galerna.link.Channel;
import org.junit.jupiter.api.Test;

class SendRingTest {
    private static final int CAPACITY = 4096;
    private static final int LONGEST = CAPACITY / 8 * 3;

    @Test
    void messagesHaveCommittedFramesInTheOrderOfTheirClaimsAndNothingElse() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        SendRing ring = new SendRing(CAPACITY, false);
        Deque<Integer> expected = new ArrayDeque<>();
        Deque<Long> underWay = new ArrayDeque<>();
        int frames = 0;
        int received = 0;
        while (received < 20_000) {
            int length = 4 + random.nextInt(LONGEST - Frames.HEADER_BYTES - 3);
            long claim = ring.claim(length);
            if (claim >= 0) {
                if (random.nextInt(5) == 0) {
                    ring.abort(claim);
                } else {
                    int committed = random.nextInt(length + 1);
                    ring.memory().set(Frames.INT, Channel.offset(claim), frames);
                    ring.commit(claim, Math.max(4, committed), Frames.FRAME);
                    expected.add(frames++);
                }
            }
            int bytes = random.nextInt(3) == 0 || claim < 0 ? ring.ready(LONGEST) : 0;
            if (bytes > 0) {
                assertThat(bytes).as("seed %s", seed).isLessThanOrEqualTo(LONGEST);
                for (int at = ring.start(); at < ring.start() + bytes; ) {
                    long header = ring.memory().get(Frames.LONG, at);
                    assertThat(Frames.type(header)).isEqualTo(Frames.FRAME);
                    assertThat(ring.memory().get(Frames.INT, at + Frames.HEADER_BYTES))
                            .as("seed %s", seed)
                            .isEqualTo(expected.remove());
                    received++;
                    at += Frames.bytes(Frames.length(header));
                }
                underWay.add(ring.sent(bytes));
            }
            if (claim < 0 && bytes == 0) {
                if (underWay.isEmpty()) {
                    long again = ring.claim(length);
                    assertThat(again)
                            .as("a claim in a ring without frames, seed %s", seed)
                            .isNotNegative();
                    ring.abort(again);
                } else {
                    ring.release(underWay.remove());
                }
            }
        }
        assertThat(expected).hasSizeLessThan(1000);
    }

    @Test
    void whatIsClaimedAndNotCommittedHoldsUpWhatFollows() {
        SendRing ring = new SendRing(CAPACITY, false);
        long first = ring.claim(8);
        long second = ring.claim(8);
        ring.commit(second, 8, Frames.FRAME);
        assertThat(ring.ready(LONGEST)).isZero();
        assertThat(ring.isEmpty()).isFalse();
        ring.commit(first, 8, Frames.FRAME);
        assertThat(ring.ready(LONGEST)).isEqualTo(32);
        ring.sent(32);
        assertThat(ring.isEmpty()).isTrue();
    }

    @Test
    void spaceIsClaimedAgainOnlyWhenItIsReleased() {
        SendRing ring = new SendRing(CAPACITY, true);
        int frames = 0;
        long claim;
        while ((claim = ring.claim(56)) >= 0) {
            ring.commit(claim, 56, Frames.FRAME);
            frames++;
        }
        assertThat(claim).isEqualTo(Channel.BACK_PRESSURE);
        assertThat(frames).isEqualTo(CAPACITY / 64);
        long after = ring.sent(ring.ready(LONGEST));
        assertThat(ring.claim(56)).isEqualTo(Channel.BACK_PRESSURE);
        ring.release(after);
        assertThat(ring.claim(56)).isNotNegative();
    }
}
