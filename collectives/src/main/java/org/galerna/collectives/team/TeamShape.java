package org.galerna.collectives.team;

/**
 * What the choice of an algorithm depends on in a team; the same on all members, so that all come to the same choice.
 *
 * @param ranks members of the team, at least 1
 * @param oneHeap whether they share a heap
 * @param groups what they are arranged by
 */
public record TeamShape(int ranks, boolean oneHeap, Groups groups) {
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
}
