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
    private static final long FIRST_WIDTH = 1 << 14;

    private final long origin;
    private final long[][] times = new long[CallKind.values().length][NUMBER];
    private long width = FIRST_WIDTH;

    Slices(long origin) {
        this.origin = origin;
    }

    void add(int kind, long begin, long end) {
        while (end - origin >= NUMBER * width) {
            fold();
        }
        long[] slices = times[kind];
        long at = Math.max(begin, origin);
        while (at < end) {
            int slice = (int) ((at - origin) / width);
            long next = Math.min(end, origin + (slice + 1) * width);
            slices[slice] += next - at;
            at = next;
        }
    }

    private void fold() {
        for (long[] slices : times) {
            for (int i = 0; i < NUMBER / 2; i++) {
                slices[i] = slices[2 * i] + slices[2 * i + 1];
            }
            Arrays.fill(slices, NUMBER / 2, NUMBER, 0);
        }
        width *= 2;
    }

    RankFile.Timeline toFile() {
        List<long[]> copies = new ArrayList<>();
        for (long[] slices : times) {
            copies.add(slices.clone());
        }
        return new RankFile.Timeline(origin, width, copies);
    }
}
