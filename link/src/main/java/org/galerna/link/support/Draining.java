package org.galerna.link.support;

import java.lang.foreign.MemorySegment;
import java.util.function.BooleanSupplier;
import org.galerna.link.FrameHandler;
import org.galerna.link.Link;
import org.galerna.link.LinkWaiter;

/** How a rank that leaves waits until its peers do not need it any more; for links that have to, see {@link Link#drain}. */
public final class Draining {
    /**
     * Ranks wait for each other's goodbye in slices, since a wake-up may belong to somebody else. Each is twice as long as the one
     * before: where hundreds of ranks leave together, their looks would take the processors from those that are waited for.
     */
    private static final long FIRST_SLICE_NANOS = 5_000_000;

    private static final int LIMIT = 1024;

    private Draining() {}

    /**
     * Waits by the link's own means, and looks again and again.
     *
     * @param nanos for how long at most; 0 for one look
     * @param drained looks whether nobody needs this rank
     * @return whether that is so
     */
    public static boolean await(Link link, long nanos, BooleanSupplier drained) {
        LinkWaiter waiter = link.waiter();
        long deadline = System.nanoTime() + nanos;
        long slice = FIRST_SLICE_NANOS;
        while (!drained.getAsBoolean()) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            waiter.prepare();
            if (drained.getAsBoolean()) {
                waiter.cancel();
                return true;
            }
            waiter.await(Math.min(left, slice));
            slice *= 2;
        }
        return true;
    }

    /** Takes what has come, which nobody is interested in any more. */
    public static void discard(Link link) {
        link.poll(Nobody.INSTANCE, LIMIT);
    }

    private enum Nobody implements FrameHandler {
        INSTANCE;

        @Override
        public void onFrame(int peer, MemorySegment memory, long offset, int length) {
            // this rank has left
        }

        @Override
        public void onContents(int peer, MemorySegment memory, long offset, int length) {
            // as above
        }

        @Override
        public void onPeerLost(int peer, String reason) {
            // and does not care who else does
        }
    }
}
