package org.galerna.device;

import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Ranks of a job in an order, none twice: the members of a group, of a communicator, of a team. Does not change; any thread
 * may use it.
 *
 * <p>Ranks that follow each other at one distance, as all of a job do, take a few words however many they are. Others
 * take a table. Equal tables of {@value #SHARED} ranks and more are one object in the whole process, so that they
 * exist once and not for each rank and communicator. A table can be searched in constant time: a second table, made
 * when somebody searches for the first time, has the places of the ranks by their hashes, with free places between them.
 */
public final class RankList {
    /** No ranks. */
    public static final RankList EMPTY = new RankList(0, 1, 0, null);

    /** Ranks from which on a table is shared. */
    static final int SHARED = 16;

    /** Ranks up to which a table is searched from its beginning. */
    private static final int SHORT = 8;

    /** Of Fibonacci hashing: 2^32 divided by the golden ratio. */
    private static final int SPREAD = 0x9E3779B9;

    private static final Map<RankList, WeakReference<RankList>> TABLES = new WeakHashMap<>(); // guarded by itself

    private final int first;
    private final int stride;
    private final int size;
    private final int @Nullable [] table; // null where first and stride say it

    /** Place in the table, plus 1, by hash; 0 where there is none. Its length is a power of two. */
    private volatile int @Nullable [] places;

    private RankList(int first, int stride, int size, int @Nullable [] table) {
        this.first = first;
        this.stride = stride;
        this.size = size;
        this.table = table;
    }

    /** The given ranks, none twice. */
    public static RankList of(int... ranks) {
        int size = ranks.length;
        if (size == 0) {
            return EMPTY;
        }
        int stride = size == 1 ? 1 : ranks[1] - ranks[0];
        return isRegular(ranks, stride) ? new RankList(ranks[0], stride, size, null) : ofTable(ranks.clone());
    }

    private static boolean isRegular(int[] ranks, int stride) {
        for (int index = 1; index < ranks.length; index++) {
            if (ranks[index] - ranks[index - 1] != stride) {
                return false;
            }
        }
        return stride != 0;
    }

    private static RankList ofTable(int[] table) {
        RankList made = new RankList(table[0], 0, table.length, table);
        if (made.size < SHARED) {
            return made;
        }
        synchronized (TABLES) {
            WeakReference<RankList> known = TABLES.get(made);
            RankList present = known == null ? null : known.get();
            if (present != null) {
                return present;
            }
            TABLES.put(made, new WeakReference<>(made));
            return made;
        }
    }

    /** The ranks from {@code first} on. */
    public static RankList range(int first, int size) {
        return strided(first, 1, size);
    }

    /**
     * Ranks at one distance.
     *
     * @param stride from each to the next one; not 0, and negative if they become less
     */
    public static RankList strided(int first, int stride, int size) {
        return size == 0 ? EMPTY : new RankList(first, size == 1 ? 1 : stride, size, null);
    }

    /** Number of ranks. */
    public int size() {
        return size;
    }

    /**
     * The rank at a place.
     *
     * @param index from 0 to {@code size() - 1}, which is not checked where there is no table
     */
    public int get(int index) {
        int[] ranks = table;
        return ranks == null ? first + index * stride : ranks[index];
    }

    /** The place of a rank, or -1 if it is not in the list. */
    public int indexOf(int rank) {
        if (table != null) {
            return find(table, rank);
        }
        int distance = rank - first;
        if (stride != 1) {
            if (distance % stride != 0) {
                return -1;
            }
            distance /= stride;
        }
        return distance >= 0 && distance < size ? distance : -1;
    }

    private int find(int[] ranks, int rank) {
        if (size <= SHORT) {
            for (int index = 0; index < size; index++) {
                if (ranks[index] == rank) {
                    return index;
                }
            }
            return -1;
        }
        int[] present = places;
        if (present == null) {
            present = placesOf(ranks);
            places = present;
        }
        int at = start(rank, present.length);
        int index;
        while ((index = present[at] - 1) >= 0 && ranks[index] != rank) {
            at = (at + 1) & (present.length - 1);
        }
        return index;
    }

    private static int[] placesOf(int[] ranks) {
        int[] places = new int[Integer.highestOneBit(ranks.length) << 2]; // more than twice as many
        for (int index = 0; index < ranks.length; index++) {
            int at = start(ranks[index], places.length);
            while (places[at] != 0) {
                at = (at + 1) & (places.length - 1);
            }
            places[at] = index + 1;
        }
        return places;
    }

    private static int start(int rank, int length) {
        return (rank * SPREAD) >>> (Integer.numberOfLeadingZeros(length) + 1);
    }

    /** Whether a rank is in the list. */
    public boolean contains(int rank) {
        return indexOf(rank) >= 0;
    }

    /** Whether all of some other ranks are in the list. */
    public boolean containsAll(RankList others) {
        if (table == null && others.table == null && (stride == 1 || others.stride % stride == 0)) {
            return others.size == 0 || (contains(others.first) && contains(others.get(others.size - 1)));
        }
        for (int index = 0; index < others.size; index++) {
            if (!contains(others.get(index))) {
                return false;
            }
        }
        return true;
    }

    /** Whether the ranks can be said without a table. */
    public boolean isRegular() {
        return table == null;
    }

    /**
     * The ranks at some places.
     *
     * @param from the first place
     * @param step from each place to the next one
     * @param count how many; all within the list
     */
    public RankList slice(int from, int step, int count) {
        if (count == 0) {
            return EMPTY;
        }
        int[] ranks = table;
        return ranks == null
                ? strided(first + from * stride, step * stride, count)
                : of(IntStream.range(0, count)
                        .map(index -> ranks[from + index * step])
                        .toArray());
    }

    /** The ranks at the given places, in that order; a place is given once. */
    public RankList at(int... places) {
        return of(map(places, this::get));
    }

    private static int[] map(int[] values, IntUnaryOperator mapping) {
        int[] mapped = new int[values.length];
        for (int index = 0; index < mapped.length; index++) {
            mapped[index] = mapping.applyAsInt(values[index]);
        }
        return mapped;
    }

    /** The ranks in their order. */
    public IntStream stream() {
        return IntStream.range(0, size).map(this::get);
    }

    /** The ranks in an array of the caller's own. */
    public int[] toArray() {
        return table == null ? stream().toArray() : table.clone();
    }

    /** Whether the other one has the same ranks in the same order. */
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other || (other instanceof RankList list && isSame(list));
    }

    private boolean isSame(RankList other) {
        return size == other.size
                && first == other.first
                && stride == other.stride
                && Arrays.equals(table, other.table);
    }

    @Override
    public int hashCode() {
        return table == null ? 31 * (31 * first + stride) + size : Arrays.hashCode(table);
    }

    @Override
    public String toString() {
        return Arrays.toString(toArray());
    }
}
