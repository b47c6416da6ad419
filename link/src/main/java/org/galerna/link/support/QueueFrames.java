package org.galerna.link.support;

import java.lang.foreign.MemorySegment;
import org.galerna.link.FrameHandler;
import org.galerna.memory.RecordConsumer;
import org.galerna.memory.RecordRing;

/** Frames of all peers, which come through the queue of a rank: see {@link QueueChannel}. Used by the polling thread alone. */
public final class QueueFrames {
    private final Rings rings;
    private final MemorySegment memory;
    private final RecordConsumer consumer;
    private final int ranks;

    /** The rings of pairs that have one. */
    public interface Rings {
        /** The rest of the peer's frames come through a ring: it is to be polled from now on. */
        void begin(int peer, int ring);

        /** The peer writes into the queue: a ring that it has used up to now is to be drained, and dropped. */
        void end(int peer, FrameHandler handler);
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
        int length;
        while (handled < limit && (length = consumer.poll()) >= 0 && take(handler, length)) {
            handled++;
        }
        return handled;
    }

    private boolean take(FrameHandler handler, int length) {
        long offset = consumer.offset();
        long prefix = length < QueueChannel.PREFIX ? -1 : QueueChannel.prefix(memory, offset);
        int source = QueueChannel.source(prefix);
        if (source < 0 || source >= ranks) {
            return false;
        }
        int ring = QueueChannel.ring(prefix);
        try {
            rings.end(source, handler);
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

    /** Where the queue ends now: everything that has been written into it lies before. */
    public int end() {
        return consumer.claimed();
    }

    /** Whether everything up to such an {@link #end} has been taken. */
    public boolean hasPassed(int end) {
        return consumer.hasPassed(end);
    }
}
