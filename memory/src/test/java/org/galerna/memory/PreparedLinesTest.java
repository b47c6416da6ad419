package org.galerna.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.galerna.memory.Rings.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines of a ring that its writer prepares during a wait. */
class PreparedLinesTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 8, 48, 56, 64, 120, 121, 192, 300, 512})
    void preparingTouchesNothingThatIsNotRead(int length) {
        Rings rings = Rings.of(Kind.SPSC, 16, 1024);
        SpscProducer producer = (SpscProducer) rings.producer;
        producer.prepare(); // nothing has been sent
        int taken = 0;
        int offered = 0;
        while (offered < 100) {
            while (rings.offer(offered, length)) {
                offered++;
                producer.prepare();
            }
            assertThat(rings.take(taken, length)).as("record %s", taken).isTrue();
            producer.prepare();
            taken++;
        }
    }

    @Test
    void preparingWritesTheLinesOfTheNextRecord() {
        Rings rings = Rings.of(Kind.SPSC, 16, 8192);
        SpscProducer producer = (SpscProducer) rings.producer;
        assertThat(rings.offer(0, 2000)).isTrue();
        long next = RecordProducer.offset(producer.claim(2000));
        Rings.fill(rings.ring.memory(), next, 1, 2000);
        producer.dataPosition = producer.longStart; // as if it had not been claimed
        producer.longStart -= RecordRingLayout.units(2000);
        producer.prepare();
        for (int line = 0; line < 2000; line += 64) {
            assertThat(rings.ring.memory().get(RecordRingLayout.INT, next + line))
                    .as("line %s", line)
                    .isZero();
        }
    }

    @Test
    void preparingWritesTheLineOfTheNextSlotUnlessItIsUnread() {
        Rings rings = Rings.of(Kind.SPSC, 4, 1024);
        SpscProducer producer = (SpscProducer) rings.producer;
        MemorySegment memory = rings.ring.memory();
        for (int number = 0; number < 4; number++) {
            assertThat(rings.offer(number, 16)).isTrue();
        }
        long slot = RecordRingLayout.record(0);
        long unread = memory.get(RecordRingLayout.LONG, slot);
        producer.prepare();
        assertThat(memory.get(RecordRingLayout.LONG, slot))
                .as("of a slot that is unread")
                .isEqualTo(unread)
                .isNotZero();
        for (int number = 0; number < 4; number++) {
            assertThat(rings.take(number, 16)).isTrue();
        }
        assertThat(rings.consumer.poll()).isEqualTo(RecordConsumer.EMPTY); // which gives all room back
        producer.prepare();
        assertThat(memory.get(RecordRingLayout.LONG, slot))
                .as("of a slot that is free")
                .isZero();
        assertThat(rings.offer(4, 16)).isTrue();
        assertThat(rings.take(4, 16)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 24, 25, 48, 49, 700})
    void aRecordAfterAWaitHasALineOfItsOwn(int length) {
        Rings rings = Rings.of(Kind.SPSC, 8, 4096);
        SpscProducer producer = (SpscProducer) rings.producer;
        for (int number = 0; number < 20; number++) {
            producer.prepare();
            int before = producer.slotPosition;
            long claim = producer.claim(length);
            assertThat(claim).isNotNegative();
            assertThat(producer.slotPosition - before).as("slots claimed").isEqualTo(2);
            if (number % 3 == 0) {
                producer.abort(claim);
                assertThat(rings.consumer.poll()).isEqualTo(RecordConsumer.EMPTY);
            } else {
                rings.write(claim, number, length);
                producer.commit(claim, length);
                assertThat(rings.take(number, length)).as("record %s", number).isTrue();
            }
        }
        assertThat(rings.offer(100, 8)).isTrue();
        assertThat(rings.offer(101, 8)).as("without a wait").isTrue();
        assertThat(producer.slotPosition).isEqualTo(2 * 20 + 2);
    }

    @Test
    void theLongestRecordFitsIntoAnEmptyRingAlsoWhereAnotherOneWasPrepared() {
        Rings rings = Rings.of(Kind.SPSC, 16, 65536);
        SpscProducer producer = (SpscProducer) rings.producer;
        Random random = new Random(Seeds.next(this));
        for (int round = 0; round < 2000; round++) {
            int length = 1 + random.nextInt(8192);
            assertThat(rings.offer(round, length)).isTrue();
            producer.prepare();
            assertThat(rings.take(round, length)).isTrue();
            assertThat(rings.consumer.poll()).isEqualTo(RecordConsumer.EMPTY);
            producer.prepare();
            int next = random.nextBoolean() ? length : rings.ring.maximumRecord();
            assertThat(rings.offer(round, next)).as("round %s", round).isTrue();
            assertThat(rings.take(round, next)).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({"65536, 32", "4096, 0"})
    void aPreparedRecordLiesApartFromTheOneBeforeWhereThereIsRoom(int dataBytes, int units) {
        Rings rings = Rings.of(Kind.SPSC, 16, dataBytes);
        SpscProducer producer = (SpscProducer) rings.producer;
        assertThat(rings.offer(0, 500)).isTrue();
        int end = producer.dataPosition;
        producer.prepare();
        assertThat(producer.preparedUnits).as("not at the beginning of a line").isZero();
        assertThat(rings.offer(1, 8)).isTrue();
        assertThat(rings.offer(2, 500)).isTrue();
        assertThat(producer.longStart).as("without a wait").isEqualTo(end);
        assertThat(rings.offer(3, 8)).isTrue();
        producer.prepare();
        assertThat(rings.offer(4, 500)).isTrue();
        end = producer.dataPosition;
        producer.prepare();
        assertThat(rings.offer(5, 8)).as("a short one between").isTrue();
        assertThat(rings.offer(6, 500)).isTrue();
        assertThat(producer.longStart).isEqualTo(end + units);
        for (int number = 0; number <= 6; number++) {
            assertThat(rings.take(number, number % 2 == 0 ? 500 : 8))
                    .as("record %s", number)
                    .isTrue();
        }
    }
}
