package org.galerna.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ByteRingTest {
    private static final int CAPACITY = 64;
    private static final int STEP = 48;

    private final MemorySegment indexes = Arena.ofAuto().allocate(ByteRing.HEADER_BYTES, 128);
    private final MemorySegment data = Arena.ofAuto().allocate(CAPACITY, 128);
    private final ByteRingProducer producer = new ByteRingProducer(indexes, data, STEP);
    private final ByteRingConsumer consumer = new ByteRingConsumer(indexes, data, STEP);

    @Test
    void takesAStepAtATimeAndNoMoreThanThereIsRoomFor() {
        assertThat(producer.write(new byte[100], 0, 100)).isEqualTo(STEP);
        assertThat(producer.write(new byte[100], 0, 100)).isEqualTo(CAPACITY - STEP);
        assertThat(producer.write(new byte[100], 0, 100)).isZero();
        assertThat(ByteRing.isEmpty(indexes)).isFalse();
        assertThat(consumer.available()).isEqualTo(CAPACITY);
        assertThat(consumer.read(new byte[100], 0, 100)).isEqualTo(STEP);
        assertThat(consumer.room()).isEqualTo(STEP);
        assertThat(producer.space()).isEqualTo(STEP);
        assertThat(consumer.read(new byte[100], 0, 100)).isEqualTo(CAPACITY - STEP);
        assertThat(consumer.read(new byte[100], 0, 100)).isZero();
        assertThat(ByteRing.isEmpty(indexes)).isTrue();
    }

    @Test
    void bytesOutlastTheEndOfTheArea() {
        byte[] received = new byte[40];
        for (int round = 0; round < 100; round++) {
            byte[] sent = new byte[40];
            new Random(round).nextBytes(sent);
            assertThat(producer.write(sent, 3, 33)).isEqualTo(33);
            assertThat(consumer.read(MemorySegment.ofArray(received), 3, 37)).isEqualTo(33);
            assertThat(received).as("round %d", round).startsWith(0, 0, 0).satisfies(bytes -> {
                for (int index = 3; index < 36; index++) {
                    assertThat(bytes[index]).isEqualTo(sent[index]);
                }
            });
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, CAPACITY + 1, Long.MIN_VALUE, Long.MAX_VALUE})
    void aTailThatCannotBeIsRefused(long tail) {
        indexes.set(ValueLayout.JAVA_LONG, ByteRing.TAIL, tail);
        byte[] target = new byte[100];
        assertThatThrownBy(() -> consumer.read(target, 0, 100))
                .isInstanceOf(RingViolationException.class)
                .hasMessageContaining("at byte " + tail);
        assertThat(target).containsOnly(0);
    }

    @ParameterizedTest
    @ValueSource(longs = {1 + CAPACITY, -CAPACITY - 1, Long.MIN_VALUE, Long.MAX_VALUE})
    void aHeadThatCannotBeIsRefused(long head) {
        assertThat(producer.write(new byte[100], 0, STEP)).isEqualTo(STEP);
        indexes.set(ValueLayout.JAVA_LONG, ByteRing.HEAD, head);
        assertThatThrownBy(() -> producer.write(new byte[100], 0, 100))
                .isInstanceOf(RingViolationException.class)
                .hasMessageContaining("at byte " + head);
    }

    @Test
    void memoryOfAWrongSizeIsRefused() {
        MemorySegment crooked = Arena.ofAuto().allocate(48, 8);
        assertThatThrownBy(() -> new ByteRingProducer(indexes, crooked, STEP))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("48");
        assertThatThrownBy(() -> new ByteRingConsumer(crooked, data, STEP))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("48");
    }

    @Test
    void twoThreadsSeeOneStream() throws Exception {
        long seed = Seeds.next(this);
        long total = 2_000_000;
        CompletableFuture<Long> wrong = CompletableFuture.supplyAsync(() -> consume(seed, total));
        Random sizes = new Random(seed);
        byte[] piece = new byte[STEP + 10];
        long sent = 0;
        while (sent < total) {
            int length = (int) Math.min(total - sent, 1 + sizes.nextInt(piece.length));
            for (int index = 0; index < length; index++) {
                piece[index] = expected(sent + index);
            }
            int done = 0;
            while (done < length) {
                int count = producer.write(piece, done, length - done);
                done += count;
                if (count == 0) {
                    Thread.yield();
                }
            }
            sent += length;
        }
        assertThat(wrong.get()).as("first wrong byte").isEqualTo(-1);
    }

    private long consume(long seed, long total) {
        Random sizes = new Random(~seed);
        byte[] piece = new byte[STEP + 10];
        long received = 0;
        while (received < total) {
            int count = consumer.read(piece, 0, 1 + sizes.nextInt(piece.length));
            for (int index = 0; index < count; index++) {
                if (piece[index] != expected(received + index)) {
                    return received + index;
                }
            }
            received += count;
            if (count == 0) {
                Thread.yield();
            }
        }
        return -1;
    }

    private static byte expected(long position) {
        return (byte) ((position * 0x9E3779B97F4A7C15L) >>> 56);
    }
}
