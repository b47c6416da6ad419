package org.galerna.profile.record;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.galerna.profile.CallKind;
import org.galerna.profile.file.RankFile;

/**
 * How time is spent, by kind of call, in a fixed number of slices: when they are used up, two become one. Not thread-safe.
 */
final class Slices {
    private static final int NUMBER = 2048;
    private static final int FIRST_SHIFT = 14;

    /** In the place of a kind: the time in which nothing is recorded. */
    static final int OFF = CallKind.values().length;

    private final long origin;
    private final long[][] times = new long[OFF + 1][NUMBER];
    /** A slice is two to the power of this, in nanoseconds: no division for each call. */
    private int shift = FIRST_SHIFT;

    Slices(long origin) {
        this.origin = origin;
    }

    void add(int kind, long begin, long end) {
        while ((end - origin) >> shift >= NUMBER) {
            fold();
        }
        long[] slices = times[kind];
        long from = Math.max(begin, origin) - origin;
        long to = end - origin;
        int last = (int) (to >> shift);
        for (int slice = (int) (from >> shift); slice < last; slice++) {
            long next = (slice + 1L) << shift;
            slices[slice] += next - from;
            from = next;
        }
        slices[last] += to - from;
    }

    private void fold() {
        for (long[] slices : times) {
            for (int i = 0; i < NUMBER / 2; i++) {
                slices[i] = slices[2 * i] + slices[2 * i + 1];
            }
            Arrays.fill(slices, NUMBER / 2, NUMBER, 0);
        }
        shift++;
    }

    RankFile.Timeline toFile() {
        List<long[]> copies = new ArrayList<>();
        for (long[] slices : times) {
            copies.add(slices.clone());
        }
        return new RankFile.Timeline(origin, 1L << shift, copies);
    }
}
