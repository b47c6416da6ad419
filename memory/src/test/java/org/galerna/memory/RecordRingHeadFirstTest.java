package org.galerna.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.galerna.memory.Rings.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Records whose head is shown before their contents. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RecordRingHeadFirstTest {
    private static final int LENGTH = 200;

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aHeadIsThereBeforeItsContents(Kind kind) {
        Rings rings = Rings.of(kind, 8, 1024);
        for (int round = 0; round < 50; round++) {
            long claim = rings.producer.claimWithHead(LENGTH, -round);
            for (int look = 0; look < 3; look++) {
                assertThat(rings.consumer.poll()).isEqualTo(LENGTH);
                assertThat(rings.consumer.hasHead()).isTrue();
                assertThat(rings.consumer.head()).isEqualTo(-round);
                assertThat(rings.consumer.isComplete()).as("contents are there").isFalse();
            }
            rings.producer.commitContents(claim);
            assertThat(rings.consumer.poll()).isEqualTo(LENGTH);
            assertThat(rings.consumer.isComplete()).as("contents are there").isTrue();
            assertThat(rings.consumer.offset()).isEqualTo(RecordProducer.offset(claim) + RecordProducer.CONTENTS);
            rings.consumer.release();
            assertThat(rings.offer(round, 10)).isTrue();
            assertThat(rings.take(round, 10)).isTrue();
            assertThat(rings.consumer.hasHead()).isFalse();
        }
    }

    @Test
    void aProducerThatDiedInTheMidstLeavesContentsThatAreSkipped() {
        Rings rings = Rings.of(Kind.MPSC, 8, 2048);
        assertThat(rings.producer.claimWithHead(LENGTH, 1)).isNotNegative();
        assertThat(rings.offer(5, 100)).isTrue();
        assertThat(rings.consumer.poll()).isEqualTo(LENGTH);
        assertThat(rings.consumer.skipAbandoned()).isEqualTo(1);
        assertThat(rings.take(5, 100)).isTrue();
        assertThat(rings.consumer.skipAbandoned()).isZero();
    }

    /** Random numbers, each as the head of a record and all over its contents. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void aReaderOnAnotherThreadSeesContentsOnlyWhenTheyAreThere(Kind kind) throws InterruptedException {
        long seed = Seeds.next(this);
        Rings shared = Rings.at(kind, 8, 1024, Integer.MAX_VALUE - 1000, -1000);
        int records = 15_000;
        Thread writer = Thread.ofPlatform().start(() -> write(shared, new Random(seed), records));
        MemorySegment memory = shared.ring.memory();
        long early = 0;
        for (int record = 0; record < records; record++) {
            int length;
            while ((length = shared.consumer.poll()) == RecordConsumer.EMPTY) {
                Thread.onSpinWait();
            }
            assertThat(length).isPositive();
            if (shared.consumer.hasHead()) {
                if (shared.consumer.head() != record) {
                    throw new AssertionError("head " + shared.consumer.head() + " of record " + record);
                }
                early += shared.consumer.isComplete() ? 0 : 1;
                while (!shared.consumer.isComplete()) {
                    Thread.onSpinWait();
                }
            }
            for (int at = 0; at < length; at += Long.BYTES) {
                long word = memory.get(RecordRingLayout.LONG, shared.consumer.offset() + at);
                if (word != record) {
                    throw new AssertionError("word " + word + " at " + at + " of record " + record);
                }
            }
            shared.consumer.release();
        }
        writer.join();
        assertThat(early).as("heads that came before their contents").isPositive();
    }

    private static void write(Rings rings, Random random, int records) {
        MemorySegment memory = rings.ring.memory();
        for (int record = 0; record < records; record++) {
            int length = (1 + random.nextInt(40)) * Long.BYTES;
            boolean headFirst = random.nextInt(4) > 0;
            if (rings.producer instanceof SpscProducer only && random.nextInt(3) == 0) {
                only.prepare();
            }
            long claim;
            while ((claim = headFirst ? rings.producer.claimWithHead(length, record) : rings.producer.claim(length))
                    < 0) {
                Thread.yield();
            }
            int offset = RecordProducer.offset(claim) + (headFirst ? RecordProducer.CONTENTS : 0);
            for (int at = 0; at < length; at += Long.BYTES) {
                memory.set(RecordRingLayout.LONG, offset + (long) at, record);
            }
            if (headFirst) {
                rings.producer.commitContents(claim);
            } else {
                rings.producer.commit(claim, length);
            }
        }
    }
}
