package org.galerna.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.galerna.memory.Rings.Kind;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

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
