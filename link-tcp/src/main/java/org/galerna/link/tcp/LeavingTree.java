package org.galerna.link.tcp;

import java.util.BitSet;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.galerna.link.tcp.handshake.Hello;

/**
 * How ranks that leave together tell each other where nothing else knows of all: up a tree each rank says that all below it
 * leave, and when the first one knows that of all, down the tree that all do. That takes two calls for each rank in place of one
 * for each two of them. A rank that ends without a word, or stays, leaves the tree without an end: those above and below it call
 * who stays, when they have waited for long enough. Safe for use by many threads.
 */
final class LeavingTree {
    /** Fewer ranks call each other. */
    private static final int FEW = 8;

    private static final int CHILDREN = 4;

    private final int rank;
    private final int size;
    private final Calls calls;
    private final Consumer<BitSet> onStaying;

    // guarded by this
    private final BitSet waitedFor = new BitSet(); // children that have not said that they leave with all below them
    private int callsDown;
    private boolean leaves;
    private boolean knows;

    /** Tells other ranks. */
    interface Calls {
        /** Calls a rank for a purpose of {@link Hello}; does not block. */
        void call(int peer, int purpose);
    }

    /**
     * Nobody leaves yet.
     *
     * @param onStaying told that nobody stays
     */
    LeavingTree(int rank, int size, Calls calls, Consumer<BitSet> onStaying) {
        this.rank = rank;
        this.size = size;
        this.calls = calls;
        this.onStaying = onStaying;
        children().forEach(waitedFor::set);
    }

    private IntStream children() {
        long first = (long) CHILDREN * rank + 1;
        return IntStream.range((int) Math.min(size, first), (int) Math.min(size, first + CHILDREN));
    }

    private int parent() {
        return (rank - 1) / CHILDREN;
    }

    /** This rank leaves, and has nothing more to say; false if it is to call the others. */
    boolean leave() {
        if (size <= FEW) {
            return false;
        }
        synchronized (this) {
            leaves = true;
        }
        goOn();
        return true;
    }

    /** Another rank says something. */
    void hear(Hello news) {
        if (news.purpose() == Hello.ALL_LEAVE) {
            tellDown();
        } else {
            synchronized (this) {
                waitedFor.clear(news.from());
            }
            goOn();
        }
    }

    private void goOn() {
        synchronized (this) {
            if (!leaves || knows || !waitedFor.isEmpty()) {
                return;
            }
        }
        if (rank == 0) {
            tellDown();
        } else {
            calls.call(parent(), Hello.GATHERED);
        }
    }

    private void tellDown() {
        synchronized (this) {
            if (knows) {
                return;
            }
            knows = true;
            callsDown = (int) children().count();
        }
        children().forEach(child -> calls.call(child, Hello.ALL_LEAVE));
        onStaying.accept(new BitSet());
    }

    /** A call has been answered, or cannot be made. */
    synchronized void told(int purpose) {
        if (purpose == Hello.ALL_LEAVE) {
            callsDown--;
        }
    }

    /** Whether others still have to hear of this rank that all leave. */
    synchronized boolean isBusy() {
        return callsDown > 0;
    }
}
