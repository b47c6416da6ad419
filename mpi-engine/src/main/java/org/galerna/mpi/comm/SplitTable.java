package org.galerna.mpi.comm;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.galerna.device.RankList;
import org.galerna.device.SharedHeap;
import org.galerna.mpi.group.Group;
import org.jspecify.annotations.Nullable;

/**
 * What the ranks of a communicator say in a Split, and what follows from it. Ranks of one heap fill one table, and the first that
 * asks for a part finds it for all: so a thousand of them do not hold a thousand copies of what a thousand said.
 */
final class SplitTable {
    private static final int COLOR = 0;
    private static final int KEY = 1;
    private static final int PROPOSAL = 2;
    private static final int FIELDS = 3;

    /** Up to so many ranks a message costs less than a common table. */
    private static final int FEW = 8;

    private final RankList jobRanks;

    /** For each rank of the parent its color, key and proposed contexts. */
    private final int[] said;

    private final Map<Integer, Part> parts = new ConcurrentHashMap<>();
    private volatile int @Nullable [] undecided;

    /**
     * Those who have one color.
     *
     * @param leader the rank of the parent that becomes rank 0, and proposes contexts
     * @param proposal what it proposes
     * @param members ranks in the job, by their keys and, where those are equal, by their ranks in the parent
     */
    record Part(int leader, int proposal, RankList members) {}

    private SplitTable(RankList jobRanks) {
        this.jobRanks = jobRanks;
        this.said = new int[FIELDS * jobRanks.size()];
    }

    /** What all ranks say; all of them call this. */
    static SplitTable gather(Communicator parent, int color, int key, int proposal) {
        RankList jobRanks = parent.local().members();
        SharedHeap heap = parent.size() > FEW ? parent.device().sharedHeap(jobRanks) : null;
        int[] own = {color, key, proposal};
        if (heap == null) {
            SplitTable table = new SplitTable(jobRanks);
            parent.collectives().allgather(own, 0, (long) FIELDS * Integer.BYTES, table.said, 0);
            return table;
        }
        TableKey tableKey = new TableKey(parent.contexts(), jobRanks);
        SplitTable table = heap.meet(SplitTable.class, tableKey, parent.size(), () -> new SplitTable(jobRanks));
        System.arraycopy(own, 0, table.said, FIELDS * parent.rank(), FIELDS);
        parent.collectives().barrier(); // each rank's part is written before it comes here, and read after all have
        return table;
    }

    private record TableKey(int contexts, RankList members) {}

    private int get(int rank, int field) {
        return said[FIELDS * rank + field];
    }

    /** Those who have a color that some rank has. */
    Part part(int color) {
        return parts.computeIfAbsent(color, this::find);
    }

    private Part find(int color) {
        int[] ranks = IntStream.range(0, jobRanks.size())
                .filter(rank -> get(rank, COLOR) == color)
                .mapToLong(rank -> (long) get(rank, KEY) << Integer.SIZE | rank)
                .sorted()
                .mapToInt(keyAndRank -> (int) keyAndRank)
                .toArray();
        return new Part(ranks[0], get(ranks[0], PROPOSAL), jobRanks.at(ranks));
    }

    /** Ranks of the parent that lead a color and propose contexts that have been used, in the order of the ranks. */
    int[] undecided() {
        int[] present = undecided;
        if (present == null) {
            present = leaders().values().stream()
                    .mapToInt(Integer::intValue)
                    .filter(leader -> get(leader, PROPOSAL) < 0)
                    .sorted()
                    .toArray();
            undecided = present;
        }
        return present;
    }

    /** For each color the rank with the least key, and of those the least rank. */
    private Map<Integer, Integer> leaders() {
        Map<Integer, Integer> leaders = new HashMap<>();
        for (int rank = 0; rank < jobRanks.size(); rank++) {
            if (get(rank, COLOR) != Group.UNDEFINED) {
                leaders.merge(
                        get(rank, COLOR), rank, (former, later) -> get(later, KEY) < get(former, KEY) ? later : former);
            }
        }
        return leaders;
    }

    /** What ranks of the parent propose; in an array of the caller's own. */
    int[] proposals(int[] ranks) {
        return Arrays.stream(ranks).map(rank -> get(rank, PROPOSAL)).toArray();
    }
}
