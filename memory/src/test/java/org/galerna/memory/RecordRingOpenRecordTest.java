package org.galerna.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.galerna.memory.Rings.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Records that can be read before they are committed. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RecordRingOpenRecordTest {
    private static final int LENGTH = 200;

    private final Rings rings = Rings.of(Kind.SPSC, 8, 1024);
    private final SpscProducer producer = (SpscProducer) rings.producer;
    private final RecordConsumer consumer = rings.consumer;

    @Test
    void whatIsShownIsFoundOnceAndWhatIsCommittedAgain() {
        for (int round = 0; round < 50; round++) {
            long claim = producer.claim(LENGTH);
            assertNothing();
            producer.show(claim, 16);
            assertShown(16, claim);
            assertNothing();
            producer.show(claim, 24);
            producer.show(claim, 32);
            assertShown(32, claim);
            producer.commit(claim, LENGTH);
            assertThat(consumer.poll()).isEqualTo(LENGTH);
            assertThat(consumer.offset()).isEqualTo(RecordProducer.offset(claim));
            consumer.release();
            assertNothing();
        }
    }

    @Test
    void aRecordThatIsNotNextIsNotShown() {
        assertThat(rings.offer(1, 8)).isTrue();
        long claim = producer.claim(LENGTH);
        producer.show(claim, 16);
        assertThat(consumer.pollOpen()).as("another one comes first").isEqualTo(RecordConsumer.EMPTY);
        assertThat(rings.take(1, 8)).isTrue();
        assertShown(16, claim);
        producer.commit(claim, 16);
        assertThat(consumer.poll()).isEqualTo(16);
        consumer.release();
        long next = producer.claim(LENGTH);
        assertNothing();
        producer.show(next, 16);
        assertShown(16, next);
    }

    private void assertNothing() {
        assertThat(consumer.poll()).isEqualTo(RecordConsumer.EMPTY);
        assertThat(consumer.pollOpen()).isEqualTo(RecordConsumer.EMPTY);
    }

    private void assertShown(int length, long claim) {
        assertThat(consumer.poll()).isEqualTo(RecordConsumer.EMPTY);
        assertThat(consumer.pollOpen()).isEqualTo(length);
        assertThat(consumer.offset()).isEqualTo(RecordProducer.offset(claim));
    }

    /** Records of longs that count on, some of them shown while they grow; the reader takes what is new. */
    @Test
    void aReaderThatFollowsSeesEveryWordOnceAndInOrder() throws InterruptedException {
        long seed = Seeds.next(this);
        Rings shared = Rings.at(Kind.SPSC, 8, 1024, Integer.MAX_VALUE - 1000, -1000);
        int words = 500_000;
        Thread writer = Thread.ofPlatform().start(() -> write(shared, new Random(seed), words));
        long next = 0;
        long shown = 0;
        int taken = 0;
        MemorySegment memory = shared.ring.memory();
        while (next < words) {
            int length = shared.consumer.poll();
            boolean open = length == RecordConsumer.EMPTY;
            if (open) {
                length = shared.consumer.pollOpen();
                shown += length > 0 ? 1 : 0;
            }
            assertThat(length).isGreaterThanOrEqualTo(RecordConsumer.EMPTY);
            for (; taken < length; taken += Long.BYTES) {
                long word = memory.get(RecordRingLayout.LONG, shared.consumer.offset() + taken);
                if (word != next) {
                    throw new AssertionError("word " + word + " in place of " + next);
                }
                next++;
            }
            if (!open) {
                assertThat(length).isEqualTo(taken);
                shared.consumer.release();
                taken = 0;
            }
        }
        writer.join();
        assertThat(shown).as("looks that found something before its commit").isPositive();
    }

    private static void write(Rings rings, Random random, int words) {
        SpscProducer producer = (SpscProducer) rings.producer;
        MemorySegment memory = rings.ring.memory();
        int next = 0;
        while (next < words) {
            int count = Math.min(1 + random.nextInt(40), words - next);
            int room = Math.max(count * Long.BYTES, RecordRing.INLINE_BYTES + 1);
            boolean shows = random.nextInt(4) > 0;
            long claim;
            while ((claim = producer.claim(shows ? room : count * Long.BYTES)) < 0) {
                Thread.yield();
            }
            int offset = RecordProducer.offset(claim);
            for (int word = 0; word < count; word++) {
                memory.set(RecordRingLayout.LONG, offset + (long) word * Long.BYTES, next++);
                if (shows && random.nextInt(3) > 0) {
                    producer.show(claim, (word + 1) * Long.BYTES);
                }
            }
            producer.commit(claim, count * Long.BYTES);
        }
    }
}
