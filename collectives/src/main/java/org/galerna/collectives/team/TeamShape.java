package org.galerna.collectives.team;

/**
 * What the choice of an algorithm depends on in a team; the same on all members, so that all come to the same choice.
 *
 * @param ranks members of the team, at least 1
 * @param oneHeap whether they share a heap
 * @param groups what they are arranged by
 * @param groupCount how many groups there are, at least 1
 * @param recorded whether collectives are written down before they are done, as those that do not block
 */
public record TeamShape(int ranks, boolean oneHeap, Groups groups, int groupCount, boolean recorded) {
    /** What some but not all members of a team have in common, in the order of how much a message to others costs. */
    public enum Groups {
        /** Nothing: all are as near to each other as any two. */
        NONE,
        /** A package of processors, and with the others a host: ranks that are bound to several packages. */
        PACKAGES,
        /** A heap, and with the others a host: processes of several ranks. */
        HEAPS,
        /** A host. */
        HOSTS
    }

    /** A team whose collectives block. */
    public TeamShape(int ranks, boolean oneHeap, Groups groups, int groupCount) {
        this(ranks, oneHeap, groups, groupCount, false);
    }

    // by code of their own: what the JDK makes for a record is made anew in each start
    @Override
    public boolean equals(Object other) {
        return other instanceof TeamShape shape
                && ranks == shape.ranks
                && oneHeap == shape.oneHeap
                && groups == shape.groups
                && groupCount == shape.groupCount
                && recorded == shape.recorded;
    }

    @Override
    public int hashCode() {
        return ((ranks * 31 + groupCount) * 31 + groups.hashCode()) * 4 + (oneHeap ? 1 : 0) + (recorded ? 2 : 0);
    }

    /** Members on one heap, or all as near to each other as any two. */
    public static TeamShape flat(int ranks, boolean oneHeap) {
        return new TeamShape(ranks, oneHeap, Groups.NONE, 1);
    }

    /** Members whose collectives are written down, without the memory that they share and without regard to their hosts. */
    public static TeamShape recorded(int ranks) {
        return new TeamShape(ranks, false, Groups.NONE, 1, true);
    }

    /** Whether they are on several hosts, with so many on each of them on average. */
    public boolean hasOnEachHost(int members) {
        return groups == Groups.HOSTS && ranks >= (long) members * groupCount;
    }
}
