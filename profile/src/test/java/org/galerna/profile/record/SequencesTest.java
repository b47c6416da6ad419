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
