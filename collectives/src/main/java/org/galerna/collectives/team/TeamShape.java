package org.galerna.collectives.team;

/**
 * What the choice of an algorithm depends on in a team; the same on all members, so that all come to the same choice.
 *
 * @param ranks members of the team, at least 1
 * @param oneHeap whether they share a heap
 * @param groups what they are arranged by
 * @param groupCount how many groups there are, at least 1
 */
public record TeamShape(int ranks, boolean oneHeap, Groups groups, int groupCount) {
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

    // by code of their own: what the JDK makes for a record is made anew in each start
    @Override
    public boolean equals(Object other) {
        return other instanceof TeamShape shape
                && ranks == shape.ranks
                && oneHeap == shape.oneHeap
                && groups == shape.groups
                && groupCount == shape.groupCount;
    }

    @Override
    public int hashCode() {
        return ((ranks * 31 + groupCount) * 31 + groups.hashCode()) * 2 + (oneHeap ? 1 : 0);
    }

    /** Members on one heap, or all as near to each other as any two. */
    public static TeamShape flat(int ranks, boolean oneHeap) {
        return new TeamShape(ranks, oneHeap, Groups.NONE, 1);
    }

    /** Whether they are on several hosts, with so many on each of them on average. */
    public boolean hasOnEachHost(int members) {
        return groups == Groups.HOSTS && ranks >= (long) members * groupCount;
    }
}
