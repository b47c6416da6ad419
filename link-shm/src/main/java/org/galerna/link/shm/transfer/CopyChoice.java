package org.galerna.link.shm.transfer;

import java.util.Arrays;

/**
 * Chooses the way of copying that has lately been the fastest. From time to time another way is tried. A way whose speed
 * depends on what is in the caches is warmed up first, for one round of the ring; a way of more weight (streaming) is not,
 * because its speed depends on nothing. Then the two ways take turns, both timed, so that a disturbance hits both. Medians
 * are compared, since copies are interrupted. Not thread-safe.
 */
public final class CopyChoice {
    /** Between two trials. A way takes up to ten times as long as another, and 2 MiB that way a millisecond. */
    public static final long PERIOD_NANOS = 50_000_000;

    /** Copies of each of the two ways that are timed in a trial. */
    public static final int TIMED = 15;

    /** Copies of fewer bytes are not timed. */
    public static final int LEAST_BYTES = 8 * 1024;

    /** Between trials one of so many copies is timed, to see whether it is time for the next one. */
    static final int LOOK = 16;

    /** What the time of the way that is tried must be below, in parts of the chosen one's. */
    private static final double GAIN = 0.95;

    private final double[] weights;
    private final long settling;
    private final double[] timesOfChosen = new double[TIMED]; // of a byte, in nanoseconds
    private final double[] timesOfTried = new double[TIMED];
    private int timed; // copies of both ways in this trial
    private int copies;
    private int chosen;
    private int tried;
    private boolean trying;
    private long unsettled; // bytes until copies of the trial are timed
    private long nextTrial;

    /**
     * A choice among ways 0, 1 and so on; the first one is taken until another has won.
     *
     * @param weights by what the time of each is multiplied
     * @param settling bytes after which one of weight 1 takes what it takes in the long run
     * @param now the time, in nanoseconds
     */
    public CopyChoice(double[] weights, long settling, long now) {
        this.weights = weights.clone();
        this.settling = settling;
        this.nextTrial = now;
    }

    /** The way of the next copy. */
    public int way() {
        if (!trying) {
            return chosen;
        }
        boolean tries = unsettled > 0 ? weights[tried] <= weights[chosen] : timed % 2 == 0;
        return tries ? tried : chosen;
    }

    /** Whether the next copy, of so many bytes, is to be {@linkplain #took timed}. To be asked once for each copy. */
    public boolean isTimed(long bytes) {
        if (!trying) {
            copies++;
            return copies % LOOK == 0;
        }
        if (unsettled > 0) {
            unsettled -= bytes;
            return false;
        }
        return bytes >= LEAST_BYTES;
    }

    /** A copy has been timed; times are in nanoseconds. */
    public void took(long bytes, long start, long end) {
        if (!trying) {
            if (end - nextTrial >= 0) {
                startTrial();
            }
            return;
        }
        double[] times = way() == tried ? timesOfTried : timesOfChosen;
        times[timed / 2] = (double) (end - start) / bytes;
        timed++;
        if (timed == 2 * TIMED) {
            endTrial(end);
        }
    }

    private void startTrial() {
        tried = (tried + 1) % weights.length;
        if (tried == chosen) {
            tried = (tried + 1) % weights.length;
        }
        trying = true;
        timed = 0;
        unsettled = settling;
    }

    private void endTrial(long now) {
        trying = false;
        nextTrial = now + PERIOD_NANOS;
        if (weights[tried] * median(timesOfTried) < GAIN * weights[chosen] * median(timesOfChosen)) {
            chosen = tried;
        }
    }

    private static double median(double[] times) {
        Arrays.sort(times);
        return times[times.length / 2];
    }
}
