package org.galerna.link.support;

import java.lang.foreign.MemorySegment;
import org.galerna.link.FrameHandler;
import org.galerna.memory.RecordConsumer;
import org.galerna.memory.RecordRing;

/** Frames that come from one peer through a ring, as its records. Used by the polling thread alone. */
public final class RingFrames {
    /**
     * Looks in a row for the contents of a frame whose head is there: the peer is copying them, which takes less than a
     * microsecond unless it has lost its core. Without a pause: 1 KiB takes 2 % less than with one.
     */
    private static final int LOOKS = 400;

    private final int peer;
    private final MemorySegment memory;
    private final RecordConsumer consumer;
    private int found = RecordConsumer.EMPTY;
    private boolean headTold; // of the record that comes next
    private int reviewedAt;
    private int silentReviews;

    /** The frames in a ring that nobody else reads. */
    public RingFrames(int peer, RecordRing ring) {
        this.peer = peer;
        this.memory = ring.memory();
        this.consumer = new RecordConsumer(ring);
    }

    /** The rank that they come from. */
    public int peer() {
        return peer;
    }

    /** Gives at most so many frames to the handler, or what is shown of one that is not complete. Returns their number. */
    public int poll(FrameHandler handler, int limit) {
        int handled = 0;
        int length = 0;
        while (handled < limit && (length = consumer.poll()) >= 0) {
            if (consumer.hasHead()) {
                if (!takeContents(handler, length)) {
                    break;
                }
            } else {
                take(handler, length);
            }
            handled++;
        }
        if (handled == 0 && length == RecordConsumer.EMPTY && (length = consumer.pollOpen()) >= 0) {
            handler.onOpenFrame(peer, memory, consumer.offset(), length);
            handled++;
        }
        found = length;
        return handled;
    }

    private void take(FrameHandler handler, int length) {
        try {
            handler.onFrame(peer, memory, consumer.offset(), length);
        } finally {
            consumer.release();
        }
    }

    private boolean takeContents(FrameHandler handler, int length) {
        if (!headTold) {
            headTold = true;
            handler.onHead(peer, consumer.head(), length);
        }
        for (int looks = 0; !consumer.isComplete(); looks++) {
            if (looks == LOOKS) {
                return false; // others may have something
            }
        }
        try {
            handler.onContents(peer, memory, consumer.offset(), length);
        } finally {
            headTold = false;
            consumer.release();
        }
        return true;
    }

    /** Gives all that is there to the handler, and of what is not complete what was shown. Returns the number of frames. */
    public int drain(FrameHandler handler) {
        int handled = 0;
        int more;
        while ((more = poll(handler, Integer.MAX_VALUE)) > 0) {
            handled += more;
        }
        return handled;
    }

    /** As {@link #drain}, of a ring of several producers that are all known to be dead: also what follows abandoned claims. */
    public int drainAbandoned(FrameHandler handler) {
        int handled = 0;
        while (consumer.skipAbandoned() > 0) {
            headTold = false;
            handled += drain(handler);
        }
        return handled;
    }

    /** In how many reviews in a row, this one included, no frame has come since the one before: see {@link RingWishes}. */
    int review() {
        int position = consumer.position();
        silentReviews = position == reviewedAt ? silentReviews + 1 : 0;
        reviewedAt = position;
        return silentReviews;
    }

    /** Whether the last poll has left nothing, not even the beginning of a frame. */
    public boolean isEmpty() {
        return found == RecordConsumer.EMPTY;
    }

    /** Whether the last poll has met what no producer writes: the ring cannot be used any more. */
    public boolean isCorrupt() {
        return found == RecordConsumer.CORRUPT;
    }
}
