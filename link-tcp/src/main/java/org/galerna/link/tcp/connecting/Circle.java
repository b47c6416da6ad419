package org.galerna.link.tcp.connecting;

import java.util.function.IntPredicate;

/**
 * The circle of the ranks that are not gone. Each rank watches the next one, and tells the others when it is lost. So the connections
 * of neighbours stay. Guarded by the {@link Membership}.
 */
final class Circle {
    private final int rank;
    private final int size;
    private final IntPredicate isGone;

    Circle(int rank, int size, IntPredicate isGone) {
        this.rank = rank;
        this.size = size;
        this.isGone = isGone;
    }

    /** The next rank; this rank itself if nobody is left. */
    int successor() {
        int next = rank;
        do {
            next = (next + 1) % size;
        } while (next != rank && isGone.test(next));
        return next;
    }

    /** The rank before this one; this rank itself if nobody is left. */
    int predecessor() {
        int previous = rank;
        do {
            previous = (previous + size - 1) % size;
        } while (previous != rank && isGone.test(previous));
        return previous;
    }

    /** Whether nobody is left between the one and the other. */
    boolean isBefore(int one, int other) {
        int next = one;
        do {
            next = (next + 1) % size;
        } while (next != other && next != one && isGone.test(next));
        return next == other;
    }
}
