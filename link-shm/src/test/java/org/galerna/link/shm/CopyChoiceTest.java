package org.galerna.link.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.galerna.link.shm.transfer.CopyChoice;
import org.junit.jupiter.api.Test;

/** Copies take as long as the tests say. */
class CopyChoiceTest {
    private static final int BYTES = 16 * 1024;
    private static final int RING = 64 * BYTES;
    private static final int WARM_UP = 10_000;

    /** What a copy takes, in nanoseconds. */
    private final double[] nanos = new double[3];

    private final int[] used = new int[3];
    private long now = 1_000_000_000_000L;

    private CopyChoice choice(double... weights) {
        return new CopyChoice(weights, RING, now);
    }

    private void takes(double... of) {
        System.arraycopy(of, 0, nanos, 0, of.length);
    }

    private void copy(CopyChoice choice, int bytes, long interruption) {
        boolean timed = choice.isTimed(bytes);
        int way = choice.way();
        used[way]++;
        long start = now;
        now += Math.round(nanos[way] * bytes / BYTES) + interruption;
        if (timed) {
            choice.took(bytes, start, now);
        }
        now += 5_000; // whatever ranks do between two chunks
    }

    private void run(CopyChoice choice, int copies) {
        for (int each = 0; each < copies; each++) {
            copy(choice, BYTES, 0);
        }
    }

    /** The way that nearly all copies take. */
    private int mostUsed(CopyChoice choice) {
        Arrays.fill(used, 0);
        run(choice, 4 * WARM_UP);
        for (int way = 0; way < used.length; way++) {
            if (used[way] > 3.5 * WARM_UP) {
                return way;
            }
        }
        throw new AssertionError("used " + Arrays.toString(used));
    }

    @Test
    void theFastestIsChosenWhereverItStands() {
        for (int fastest = 0; fastest < 3; fastest++) {
            takes(600, 600, 600);
            nanos[fastest] = 400;
            CopyChoice choice = choice(1, 1, 1);
            run(choice, 4 * WARM_UP);
            assertThat(mostUsed(choice)).isEqualTo(fastest);
        }
    }

    @Test
    void theChoiceFollowsWhatHappensToTheCores() {
        takes(600, 550, 640);
        CopyChoice choice = choice(1, 1, 2.5);
        run(choice, 4 * WARM_UP);
        assertThat(mostUsed(choice)).isEqualTo(1);
        takes(1800, 5500, 620);
        run(choice, 4 * WARM_UP);
        assertThat(mostUsed(choice)).isEqualTo(2);
        takes(600, 550, 640);
        run(choice, 4 * WARM_UP);
        assertThat(mostUsed(choice)).isEqualTo(1);
    }

    @Test
    void aWayOfSomeWeightMustBeThatMuchFaster() {
        takes(1500, 5500, 620);
        CopyChoice choice = choice(1, 1, 2.5);
        run(choice, 4 * WARM_UP);
        assertThat(mostUsed(choice)).isZero();
        takes(1700, 5500, 620);
        run(choice, 4 * WARM_UP);
        assertThat(mostUsed(choice)).isEqualTo(2);
    }

    @Test
    void waysThatTakeTheSameDoNotChange() {
        takes(600, 590, 595);
        CopyChoice choice = choice(1, 1, 1);
        run(choice, 4 * WARM_UP);
        assertThat(mostUsed(choice)).isZero();
    }

    @Test
    void interruptionsDoNotCount() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        takes(600, 500, 700);
        CopyChoice choice = choice(1, 1, 1);
        for (int each = 0; each < 20 * WARM_UP; each++) {
            copy(choice, BYTES, random.nextInt(8) == 0 ? 50_000 : 0);
        }
        Arrays.fill(used, 0);
        for (int each = 0; each < 20 * WARM_UP; each++) {
            copy(choice, BYTES, random.nextInt(8) == 0 ? 50_000 : 0);
        }
        assertThat(used[1]).as("seed %d, of %d", seed, 20 * WARM_UP).isGreaterThan(18 * WARM_UP);
    }

    @Test
    void aTrialBeginsByGoingAroundTheRingUntimed() {
        takes(600, 500, 700);
        CopyChoice choice = choice(1, 1, 1);
        while (choice.way() == 0) {
            copy(choice, BYTES, 0);
        }
        for (int each = 0; each < RING / BYTES; each++) {
            assertThat(choice.way()).isEqualTo(1);
            assertThat(choice.isTimed(BYTES)).isFalse();
        }
        for (int each = 0; each < CopyChoice.TIMED; each++) {
            assertThat(choice.way()).isEqualTo(1);
            copy(choice, BYTES, 0);
            assertThat(choice.way()).isZero();
            copy(choice, BYTES, 0);
        }
        assertThat(choice.way()).as("has won").isEqualTo(1);
    }

    @Test
    void linesThatHaveLeftTheCachesMeanwhileSayNothing() {
        CopyChoice choice = choice(1, 1, 2.5);
        for (int pause = 0; pause < 100; pause++) {
            now += 2 * CopyChoice.PERIOD_NANOS; // a trial is due
            for (int each = 0; each < WARM_UP / 10; each++) {
                boolean cold = each < RING / BYTES;
                takes(cold ? 2000 : 600, cold ? 2000 : 550, 640);
                copy(choice, BYTES, 0);
            }
            assertThat(choice.way()).isNotEqualTo(2);
        }
    }

    @Test
    void shortCopiesSayNothing() {
        takes(600, 500, 700);
        CopyChoice choice = choice(1, 1, 1);
        while (choice.way() == 0) {
            copy(choice, BYTES, 0);
        }
        for (int each = 0; each < WARM_UP; each++) {
            copy(choice, CopyChoice.LEAST_BYTES - 1, 0);
        }
        assertThat(choice.isTimed(CopyChoice.LEAST_BYTES - 1)).isFalse();
        assertThat(choice.isTimed(CopyChoice.LEAST_BYTES)).as("still trying").isTrue();
    }

    @Test
    void trialsAreRare() {
        takes(550, 5500, 5500);
        CopyChoice choice = choice(1, 1, 1);
        run(choice, WARM_UP);
        Arrays.fill(used, 0);
        long start = now;
        run(choice, 20 * WARM_UP);
        long trials = (now - start) / CopyChoice.PERIOD_NANOS + 1;
        assertThat(used[1] + used[2]).isLessThanOrEqualTo((int) trials * (RING / BYTES + CopyChoice.TIMED));
    }
}
