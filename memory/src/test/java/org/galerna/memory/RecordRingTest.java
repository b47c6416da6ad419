package org.galerna.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.galerna.memory.Rings.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What one thread sees of a ring that it writes and reads in turn. */
class RecordRingTest {
    static Stream<Arguments> kindsAndLengths() {
        return Stream.of(Kind.values())
                .flatMap(kind -> IntStream.of(0, 1, 7, 8, 23, 24, 25, 47, 48, 49, 63, 64, 65, 127, 128, 129, 511, 512)
                        .mapToObj(length -> Arguments.of(kind, length)));
    }

    @ParameterizedTest
    @MethodSource("kindsAndLengths")
    void carriesRecordsOfALengthManyTimesRound(Kind kind, int length) {
        Rings rings = Rings.of(kind, 4, 1024);
        for (int number = 0; number < 100; number++) {
            assertThat(rings.offer(number, length)).as("record %s", number).isTrue();
            assertThat(rings.take(number, length)).as("record %s", number).isTrue();
        }
        assertThat(rings.consumer.poll()).isEqualTo(RecordConsumer.EMPTY);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void carriesEveryLengthAtEveryPlaceOfBothAreas(Kind kind) {
        Rings rings = Rings.of(kind, 8, 512);
        int number = 0;
        for (int step = 1; step <= 7; step++) {
            for (int length = 0; length <= rings.ring.maximumRecord(); length += step) {
                assertThat(rings.offer(number, length)).isTrue();
                assertThat(rings.take(number, length)).isTrue();
                number++;
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void keepsTheOrderOfShortAndLongRecords(Kind kind) {
        Rings rings = Rings.of(kind, 16, 1024);
        int[] lengths = {0, 60, 8, 300, 48, 49, 1, 25, 24, 48, 128};
        for (int round = 0; round < 50; round++) {
            for (int number = 0; number < lengths.length; number++) {
                assertThat(rings.offer(round + number, lengths[number])).isTrue();
            }
            for (int number = 0; number < lengths.length; number++) {
                assertThat(rings.take(round + number, lengths[number])).isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void commitsMayBeShorterThanTheirClaims(Kind kind) {
        Rings rings = Rings.of(kind, 8, 1024);
        int number = 0;
        for (int claimed : new int[] {24, 25, 48, 49, 200, 512}) {
            for (int committed : new int[] {0, 1, 23, 24, 25, 47, 48, 49, 64, 199}) {
                if (committed <= claimed) {
                    assertThat(rings.offer(number, claimed, committed)).isTrue();
                    assertThat(rings.offer(number + 1, 3)).isTrue();
                    assertThat(rings.take(number, committed)).isTrue();
                    assertThat(rings.take(number + 1, 3)).isTrue();
                    number += 2;
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("kindsAndLengths")
    void skipsAbortedClaimsAndGivesTheirSpaceBack(Kind kind, int length) {
        Rings rings = Rings.of(kind, 4, 1024);
        for (int number = 0; number < 64; number++) {
            long claim = rings.producer.claim(length);
            assertThat(claim).isNotNegative();
            rings.write(claim, 99, length);
            rings.producer.abort(claim);
            assertThat(rings.offer(number, length)).isTrue();
            assertThat(rings.take(number, length)).isTrue();
            assertThat(rings.consumer.poll()).isEqualTo(RecordConsumer.EMPTY);
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aRingFullOfAbortedClaimsIsEmptyAndHasRoomAgain(Kind kind) {
        Rings rings = Rings.of(kind, 4, 512);
        for (int round = 0; round < 10; round++) {
            for (int number = 0; number < 4; number++) {
                rings.producer.abort(rings.producer.claim(number % 2 == 0 ? 8 : 100));
            }
            assertThat(rings.producer.claim(0)).isEqualTo(RecordProducer.BACK_PRESSURE);
            assertThat(rings.consumer.poll()).isEqualTo(RecordConsumer.EMPTY);
            assertThat(rings.offer(round, 8)).isTrue();
            assertThat(rings.take(round, 8)).isTrue();
            assertThat(rings.consumer.poll()).isEqualTo(RecordConsumer.EMPTY);
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void refusesRecordsThatNeverFit(Kind kind) {
        Rings rings = Rings.of(kind, 4, 1024);
        assertThat(rings.producer.claim(rings.ring.maximumRecord() + 1)).isEqualTo(RecordProducer.TOO_LONG);
        assertThat(rings.producer.claim(Integer.MAX_VALUE)).isEqualTo(RecordProducer.TOO_LONG);
        assertThat(rings.offer(1, rings.ring.maximumRecord())).isTrue();
        assertThat(rings.take(1, rings.ring.maximumRecord())).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void pressesBackWhenAllSlotsAreTaken(Kind kind) {
        Rings rings = Rings.of(kind, 8, 512);
        for (int round = 0; round < 20; round++) {
            for (int number = 0; number < 8; number++) {
                assertThat(rings.offer(number, 5)).isTrue();
            }
            assertThat(rings.producer.claim(5)).isEqualTo(RecordProducer.BACK_PRESSURE);
            assertThat(rings.producer.claim(0)).isEqualTo(RecordProducer.BACK_PRESSURE);
            for (int number = 0; number < 8; number++) {
                assertThat(rings.take(number, 5)).isTrue();
            }
            assertThat(rings.consumer.poll()).isEqualTo(RecordConsumer.EMPTY);
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void pressesBackWhenTheDataAreaIsFullAndStillTakesShortRecords(Kind kind) {
        Rings rings = Rings.of(kind, 64, 512);
        for (int round = 0; round < 20; round++) {
            int sent = 0;
            while (rings.offer(sent, 100)) {
                sent++;
            }
            assertThat(sent).isBetween(3, 4);
            assertThat(rings.producer.claim(100)).isEqualTo(RecordProducer.BACK_PRESSURE);
            assertThat(rings.offer(sent, 20)).isTrue();
            for (int number = 0; number < sent; number++) {
                assertThat(rings.take(number, 100)).isTrue();
            }
            assertThat(rings.take(sent, 20)).isTrue();
            assertThat(rings.consumer.poll()).isEqualTo(RecordConsumer.EMPTY);
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void theLongestRecordFitsIntoAnEmptyRingWhereverTheWrapIs(Kind kind) {
        for (int used = 1; used <= 8; used++) {
            Rings rings = Rings.of(kind, 16, 512);
            for (int unit = 0; unit < used; unit++) {
                assertThat(rings.offer(unit, 60)).isTrue();
                assertThat(rings.take(unit, 60)).isTrue();
            }
            assertThat(rings.consumer.poll()).isEqualTo(RecordConsumer.EMPTY);
            assertThat(rings.offer(7, rings.ring.maximumRecord()))
                    .as("after %s units", used)
                    .isTrue();
            assertThat(rings.take(7, rings.ring.maximumRecord())).isTrue();
        }
    }

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

    @ParameterizedTest
    @EnumSource(Kind.class)
    void givesRoomBackInBatchesAndAllOfItWhenEmpty(Kind kind) {
        Rings rings = Rings.of(kind, 16, 512);
        for (int number = 0; number < 16; number++) {
            assertThat(rings.offer(number, 1)).isTrue();
        }
        int batch = rings.consumer.publicationBatch;
        assertThat(batch).isBetween(2, 16);
        for (int number = 0; number < batch - 1; number++) {
            assertThat(rings.take(number, 1)).isTrue();
        }
        assertThat(rings.producer.claim(1)).as("within the batch").isEqualTo(RecordProducer.BACK_PRESSURE);
        assertThat(rings.take(batch - 1, 1)).isTrue();
        for (int number = 16; number < 16 + batch; number++) {
            assertThat(rings.offer(number, 1)).as("room of the batch").isTrue();
        }
        assertThat(rings.producer.claim(1)).isEqualTo(RecordProducer.BACK_PRESSURE);
        for (int number = batch; number < 16 + batch; number++) {
            assertThat(rings.take(number, 1)).isTrue();
        }
        assertThat(rings.consumer.poll()).isEqualTo(RecordConsumer.EMPTY);
        for (int number = 0; number < 16; number++) {
            assertThat(rings.offer(number, 1))
                    .as("all room after an empty poll")
                    .isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void givesDataBackInBatchesToo(Kind kind) {
        Rings rings = Rings.of(kind, 1024, 8192);
        int sent = 0;
        while (rings.offer(sent, 512)) {
            sent++;
        }
        assertThat(sent).isEqualTo(16);
        assertThat(rings.take(0, 512)).isTrue();
        assertThat(rings.take(1, 512)).isTrue();
        assertThat(rings.offer(16, 512)).as("room of an eighth of the area").isTrue();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void pollsTheSameRecordUntilItIsReleased(Kind kind) {
        Rings rings = Rings.of(kind, 4, 512);
        rings.offer(1, 100);
        rings.offer(2, 8);
        assertThat(rings.consumer.poll()).isEqualTo(100);
        long offset = rings.consumer.offset();
        assertThat(rings.consumer.poll()).isEqualTo(100);
        assertThat(rings.consumer.offset()).isEqualTo(offset);
        assertThat(rings.take(1, 100)).isTrue();
        assertThat(rings.take(2, 8)).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void showsNothingBeforeTheCommitAndNothingPastAnOpenClaim(Kind kind) {
        Rings rings = Rings.of(kind, 8, 512);
        for (int round = 0; round < 20; round++) {
            long first = rings.producer.claim(round % 2 == 0 ? 8 : 100);
            long second = rings.producer.claim(8);
            assertThat(rings.consumer.poll()).isEqualTo(RecordConsumer.EMPTY);
            rings.write(second, 2, 8);
            rings.producer.commit(second, 8);
            assertThat(rings.consumer.poll()).isEqualTo(RecordConsumer.EMPTY);
            rings.write(first, 1, 8);
            rings.producer.commit(first, 8);
            assertThat(rings.take(1, 8)).isTrue();
            assertThat(rings.take(2, 8)).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void longerRecordsMayBeClaimedAllAtOnce(Kind kind) {
        Rings rings = Rings.of(kind, 16, 4096);
        for (int round = 0; round < 100; round++) {
            int[] lengths = {100, 8, 300, 64, 500, 49};
            long[] claims =
                    IntStream.of(lengths).mapToLong(rings.producer::claim).toArray();
            for (int each = 0; each < claims.length; each++) {
                rings.write(claims[each], each, lengths[each] / 2);
                if (each == 2) {
                    rings.producer.abort(claims[each]);
                } else {
                    rings.producer.commit(claims[each], lengths[each] / 2);
                }
            }
            for (int each = 0; each < claims.length; each++) {
                assertThat(each == 2 || rings.take(each, lengths[each] / 2)).isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void recordsThatLookLikeCommitWordsFoolNobody(Kind kind) {
        Rings rings = Rings.of(kind, 4, 256);
        int[] lengths = {8, 48, 24, 24, 128, 40, 16};
        for (int record = 0; record < 256; record++) {
            int length = lengths[record % lengths.length];
            int turn = RecordRingLayout.turn(rings.consumer.slotPosition, rings.consumer.slotsShift) + record % 3;
            long claim = rings.producer.claim(length);
            for (long at = 0; at < length; at += 8) {
                rings.ring
                        .memory()
                        .set(
                                RecordRingLayout.LONG,
                                RecordProducer.offset(claim) + at,
                                RecordRingLayout.commitWord(turn, 8));
            }
            rings.producer.commit(claim, length);
            assertThat(rings.consumer.poll()).isEqualTo(length);
            rings.consumer.release();
            assertThat(rings.consumer.poll()).isEqualTo(RecordConsumer.EMPTY);
        }
    }

    static Stream<Arguments> positionsBeforeTheWrap() {
        return Stream.of(Kind.values())
                .flatMap(kind -> Stream.of(
                        Arguments.of(kind, Integer.MAX_VALUE - 20, 0),
                        Arguments.of(kind, 0, -20),
                        Arguments.of(kind, 12, Integer.MAX_VALUE - 20),
                        Arguments.of(kind, Integer.MAX_VALUE - 20, -40)));
    }

    @ParameterizedTest
    @MethodSource("positionsBeforeTheWrap")
    void goesOnWhenItsPositionsWrap(Kind kind, int slotPosition, int dataPosition) {
        Rings rings = Rings.at(kind, 8, 1024, slotPosition, dataPosition);
        int sent = 0;
        int received = 0;
        while (received < 200) {
            while (rings.offer(sent, length(sent))) {
                sent++;
            }
            assertThat(sent).as("room for more").isGreaterThan(received);
            assertThat(rings.producer.claim(rings.ring.maximumRecord())).isEqualTo(RecordProducer.BACK_PRESSURE);
            while (rings.take(received, length(received))) {
                received++;
            }
            assertThat(received).isEqualTo(sent);
        }
        assertThat((rings.consumer.slotPosition - slotPosition) & RecordRingLayout.POSITION_MASK)
                .isGreaterThanOrEqualTo(received);
    }

    private static int length(int number) {
        return number * 37 % 300;
    }
}
