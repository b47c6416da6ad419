package org.galerna.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DataAreaTest {
    private static final int CAPACITY = 8;

    /** Compares with what counting in 64 bits says, which never wraps. */
    @ParameterizedTest
    @ValueSource(longs = {0, 5, (1L << 31) - 6, (1L << 32) - 6, (1L << 32) + 3})
    void agreesWithCountingThatNeverWraps(long origin) {
        for (int used = 0; used <= CAPACITY; used++) {
            for (int step = 0; step < 2 * CAPACITY; step++) {
                for (int units = 0; units <= CAPACITY; units++) {
                    long head = origin + step;
                    long position = head + used;
                    long index = position % CAPACITY;
                    long start = index + units <= CAPACITY ? position : position + CAPACITY - index;
                    int found = DataArea.start((int) position, units, CAPACITY);
                    assertThat(found).isEqualTo((int) start);
                    assertThat(DataArea.fits(found, units, (int) head, CAPACITY))
                            .isEqualTo(start + units - head <= CAPACITY);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 9, 1 << 20, Integer.MIN_VALUE})
    void nothingFitsBehindAHeadFromTheFuture(int ahead) {
        assertThat(DataArea.fits(100, 2, 102 + ahead, CAPACITY)).isFalse();
    }
}
