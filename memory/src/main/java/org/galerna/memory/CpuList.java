package org.galerna.memory;

import java.util.BitSet;

/** Sets of processors as Linux writes them: {@code 0-3,8,10-11}. */
public final class CpuList {
    /** No machine has more processors; a file that says so is wrong. */
    private static final int MOST = 1 << 16;

    private CpuList() {}

    /**
     * The set that a list stands for.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static BitSet parse(String list) {
        BitSet cpus = new BitSet();
        String text = list.strip();
        if (text.isEmpty()) {
            return cpus;
        }
        for (String range : text.split(",", -1)) {
            int dash = range.indexOf('-');
            int first = Integer.parseInt(dash < 0 ? range : range.substring(0, dash));
            int last = dash < 0 ? first : Integer.parseInt(range.substring(dash + 1));
            if (first < 0 || last < first || last >= MOST) {
                throw new IllegalArgumentException("no list of processors: " + text);
            }
            cpus.set(first, last + 1);
        }
        return cpus;
    }

    /** The list that stands for a set. */
    public static String format(BitSet cpus) {
        StringBuilder list = new StringBuilder(); // concatenations would make classes in each start
        for (int first = cpus.nextSetBit(0); first >= 0; ) {
            int last = cpus.nextClearBit(first) - 1;
            list.append(list.isEmpty() ? "" : ",").append(first);
            if (first != last) {
                list.append('-').append(last);
            }
            first = cpus.nextSetBit(last + 1);
        }
        return list.toString();
    }
}
