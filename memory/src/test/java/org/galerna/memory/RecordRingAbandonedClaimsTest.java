package org.galerna.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.galerna.memory.Rings.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Claims whose producers have died. */
class RecordRingAbandonedClaimsTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 24, 25, 48, 49, 200, 512})
    void areSkippedAndTheirSpaceIsGivenBack(int length) {
        Rings rings = Rings.of(Kind.MPSC, 4, 1024);
        for (int round = 0; round < 50; round++) {
            assertThat(rings.producer.claim(length)).isNotNegative();
            assertThat(rings.consumer.poll()).isEqualTo(RecordConsumer.EMPTY);
            assertThat(rings.consumer.skipAbandoned()).isEqualTo(slots(length));
            assertThat(rings.consumer.skipAbandoned()).isZero();
            assertThat(rings.offer(round, 512)).isTrue();
            assertThat(rings.take(round, 512)).isTrue();
        }
    }

    private static int slots(int length) {
        return length > RecordRingLayout.NARROW_BYTES && length <= RecordRing.INLINE_BYTES ? 2 : 1;
    }

    @Test
    void whatWasCommittedBetweenThemIsPolled() {
        Rings rings = Rings.of(Kind.MPSC, 16, 1024);
        rings.producer.claim(100);
        rings.offer(1, 100);
        rings.producer.claim(8);
        rings.producer.claim(200);
        rings.offer(2, 8);
        rings.offer(3, 128);
        rings.producer.claim(60);

        assertThat(rings.consumer.skipAbandoned()).isEqualTo(1);
        assertThat(rings.take(1, 100)).isTrue();
        assertThat(rings.consumer.skipAbandoned()).isEqualTo(2);
        assertThat(rings.take(2, 8)).isTrue();
        assertThat(rings.take(3, 128)).isTrue();
        assertThat(rings.consumer.skipAbandoned()).isEqualTo(1);
        assertThat(rings.consumer.poll()).isEqualTo(RecordConsumer.EMPTY);
    }

    @Test
    void aFullRingOfThemBecomesUsableAgain() {
        Rings rings = Rings.of(Kind.MPSC, 8, 512);
        for (int round = 0; round < 20; round++) {
            int claims = 0;
            while (rings.producer.claim(round % 2 == 0 ? 8 : 100) >= 0) {
                claims++;
            }
            assertThat(claims).isPositive();
            assertThat(rings.consumer.skipAbandoned()).isEqualTo(claims);
            assertThat(rings.offer(round, 256)).isTrue();
            assertThat(rings.take(round, 256)).isTrue();
            assertThat(rings.consumer.poll()).isEqualTo(RecordConsumer.EMPTY);
        }
    }

    @Test
    void nothingIsSkippedWhereNothingIsClaimed() {
        Rings rings = Rings.of(Kind.MPSC, 8, 512);
        assertThat(rings.consumer.skipAbandoned()).isZero();
        rings.offer(1, 100);
        assertThat(rings.consumer.skipAbandoned()).isZero();
        assertThat(rings.take(1, 100)).isTrue();
        assertThat(rings.consumer.skipAbandoned()).isZero();
    }

    @Test
    void anyMixtureIsTakenWholeAndInOrder() {
        Random random = new Random(Seeds.next(this));
        Rings rings = Rings.at(Kind.MPSC, 16, 2048, Integer.MAX_VALUE - 500, -3000);
        int number = 0;
        for (int round = 0; round < 2000; round++) {
            List<Integer> lengths = new ArrayList<>();
            int abandoned = 0;
            int length = random.nextInt(random.nextBoolean() ? 64 : 400);
            while (true) {
                long claim = rings.producer.claim(length);
                if (claim < 0) {
                    break;
                }
                switch (random.nextInt(3)) {
                    case 0 -> abandoned += slots(length);
                    case 1 -> rings.producer.abort(claim);
                    default -> {
                        rings.write(claim, number + lengths.size(), length);
                        rings.producer.commit(claim, length);
                        lengths.add(length);
                    }
                }
                length = random.nextInt(random.nextBoolean() ? 64 : 400);
            }
            int skipped = rings.consumer.skipAbandoned();
            for (int each : lengths) {
                assertThat(rings.take(number++, each)).isTrue();
                skipped += rings.consumer.skipAbandoned();
            }
            assertThat(skipped).isEqualTo(abandoned);
            assertThat(rings.consumer.poll()).isEqualTo(RecordConsumer.EMPTY);
        }
    }
}
