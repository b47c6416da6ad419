package org.galerna.profile.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

class SequencesTest {
    @Test
    void eachKeyIsCountedForItself() {
        long seed = ThreadLocalRandom.current().nextLong();
        Random random = new Random(seed);
        Sequences sequences = new Sequences();
        Map<Long, Integer> expected = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            long key = Sequences.key(random.nextInt(500), random.nextInt(3));
            int number = expected.merge(key, 1, Integer::sum) - 1;
            assertThat(sequences.next(key)).as("seed %d, step %d", seed, i).isEqualTo(number);
        }
    }

    @Test
    void turnsOfSeveralUsersAtTheSameTimeAreUncertain() {
        Sequences sequences = new Sequences();
        long apart = Sequences.key(1, 1);
        long overlapping = Sequences.key(2, 2);
        sequences.next(apart, 0, 10, 20);
        sequences.next(apart, 1, 20, 30);
        sequences.next(apart, 1, 25, 40); // of one user, whose turns come as they are told
        sequences.next(overlapping, 0, 10, 20);
        sequences.next(overlapping, 1, 5, 6);
        sequences.next(overlapping, 1, 50, 60);
        assertThat(sequences.isUncertain(apart)).isFalse();
        assertThat(sequences.isUncertain(overlapping)).isTrue();
        assertThat(sequences.uncertain()).isEqualTo(3);
    }

    @Test
    void whatTakesAnythingIsUncertainIfAnotherOneCameMeanwhile() {
        Sequences sequences = new Sequences();
        long key = Sequences.key(1, 1);
        sequences.next(key, 0, 10, 20);
        sequences.next(key, Sequences.ANYBODY, 20, 30);
        assertThat(sequences.isUncertain(key)).isFalse();
        sequences.next(key, Sequences.ANYBODY, 25, 40);
        assertThat(sequences.isUncertain(key)).isTrue();
    }

    @Test
    void whatIsUncertainStaysSoWhenTheTableGrows() {
        Sequences sequences = new Sequences();
        long key = Sequences.key(1, 0);
        sequences.distrust(key);
        sequences.next(key);
        for (long other = 2; other < 1000; other++) {
            sequences.next(Sequences.key(other, 0), 0, 0, 0);
        }
        assertThat(sequences.isUncertain(key)).isTrue();
        assertThat(sequences.uncertain()).isEqualTo(1);
        sequences.distrustAll();
        assertThat(sequences.uncertain()).isEqualTo(999);
    }

    @Test
    void theTableIsBounded() {
        Sequences sequences = new Sequences();
        int unknown = 0;
        for (long i = 0; i < 300_000; i++) {
            unknown += sequences.next(Sequences.key(i, 0)) == Sequences.UNKNOWN ? 1 : 0;
        }
        assertThat(unknown).isPositive();
        assertThat(sequences.next(Sequences.key(0, 0))).isEqualTo(1);
    }
}
