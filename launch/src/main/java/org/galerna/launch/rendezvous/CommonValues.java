package org.galerna.launch.rendezvous;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds the values that all ranks of a job have published. Used by one thread at a time. */
public final class CommonValues {
    private final int size;
    private final Map<String, Tally> tallies = new HashMap<>();

    /** Of a job with so many ranks that have published nothing yet. */
    public CommonValues(int size) {
        this.size = size;
    }

    /** What has been published under one key. */
    private static final class Tally {
        private final byte[] first;
        private final BitSet publishers = new BitSet();
        private boolean differ;
        private boolean told;

        Tally(byte[] first) {
            this.first = first;
        }

        void add(Value value) {
            publishers.set(value.rank());
            differ |= !Arrays.equals(first, value.bytes());
        }

        boolean isNews(int size) {
            boolean common = !differ && publishers.cardinality() == size;
            boolean changes = common != told;
            told = common;
            return changes;
        }
    }

    /** Takes what ranks have published at one fence. Returns what they have in common since then, or have no more. */
    public List<CommonValue> add(List<Value> values) {
        Map<String, Tally> touched = new HashMap<>();
        for (Value value : values) {
            Tally tally = tallies.computeIfAbsent(value.key(), _ -> new Tally(value.bytes()));
            tally.add(value);
            touched.put(value.key(), tally);
        }
        List<CommonValue> news = new ArrayList<>();
        touched.forEach((key, tally) -> {
            if (tally.isNews(size)) {
                news.add(new CommonValue(key, tally.differ ? null : tally.first));
            }
        });
        return news;
    }
}
