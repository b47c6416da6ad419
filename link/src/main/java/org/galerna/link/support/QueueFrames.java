package org.galerna.link.support;

import java.lang.foreign.MemorySegment;
import java.util.function.IntPredicate;
import org.galerna.link.FrameHandler;
import org.galerna.memory.RecordConsumer;
import org.galerna.memory.RecordRing;

/** Frames of all peers, which come through the queue of a rank: see {@link QueueChannel}. Used by the polling thread alone. */
public final class QueueFrames {
    private final Rings rings;
    private final MemorySegment memory;
    private final RecordConsumer consumer;
    private final int ranks;
    private boolean corrupt;
    private boolean owesSpace; // of claims that were skipped

    /** The rings of pairs that have one. */
    public interface Rings {
        /** The rest of the peer's frames come through a ring: it is to be polled from now on. */
        void begin(int peer, int ring);

        /**
         * The peer writes into the queue: a ring that it has used up to now is to be drained, and dropped. Returns whether
         * frames of the peer are taken; false once it has been reported as lost.
         */
        boolean resume(int peer, FrameHandler handler);
    }

    /**
     * The frames in a queue that nobody else reads.
     *
     * @param ranks size of the job
     */
    public QueueFrames(RecordRing queue, int ranks, Rings rings) {
        this.memory = queue.memory();
        this.consumer = new RecordConsumer(queue);
        this.ranks = ranks;
        this.rings = rings;
    }

    /** Gives at most so many frames to the handler. Returns the number of records taken. */
    public int poll(FrameHandler handler, int limit) {
        int handled = 0;
        int length = RecordConsumer.EMPTY;
        while (handled < limit && (length = consumer.poll()) >= 0 && take(handler, length)) {
            handled++;
        }
        if (length == RecordConsumer.CORRUPT) {
            corrupt = true;
        }
        return handled;
    }

    private boolean take(FrameHandler handler, int length) {
        long offset = consumer.offset();
        long prefix = length < QueueChannel.PREFIX ? -1 : QueueChannel.prefix(memory, offset);
        int source = QueueChannel.source(prefix);
        if (source < 0 || source >= ranks) {
            corrupt = true;
            return false;
        }
        int ring = QueueChannel.ring(prefix);
        try {
            if (!rings.resume(source, handler)) {
                return true;
            }
            if (ring == QueueChannel.REFUSED) {
                handler.onFrame(source, memory, offset + QueueChannel.PREFIX, length - QueueChannel.PREFIX);
            } else {
                rings.begin(source, ring);
            }
        } finally {
            consumer.release();
        }
        return true;
    }

    /** Whether the last poll has met what no sender writes: the queue cannot be used any more. */
    public boolean isCorrupt() {
        return corrupt;
    }

    /**
     * Skips claims of senders that are dead, one slot after the other.
     *
     * @param isAbandoned whether the claim at a position of the queue, which is not committed, is a dead sender's
     * @return number of slots skipped
     */
    public int skip(IntPredicate isAbandoned) {
        int skipped = 0;
        // once more after the answer: what has been committed meanwhile is there
        while (consumer.isHeldUp() && isAbandoned.test(consumer.position()) && consumer.isHeldUp()) {
            consumer.skipClaim();
            skipped++;
        }
        owesSpace |= skipped > 0;
        if (owesSpace && consumer.freeAbandoned()) {
            owesSpace = false;
        }
        return skipped;
    }

    /** Where the queue ends now: everything that has been written into it lies before. */
    public int end() {
        return consumer.claimed();
    }

    /** Whether everything up to such an {@link #end} has been taken. */
    public boolean hasPassed(int end) {
        return consumer.hasPassed(end);
    }
}
