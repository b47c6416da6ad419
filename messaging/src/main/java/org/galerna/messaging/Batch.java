package org.galerna.messaging;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A buffer of frames that have come in, each behind its length, padded to 8 bytes; or of a stretch of one that came in
 * pieces. Filled by the polling thread, then read by one handler, then given back.
 */
final class Batch extends Parcel {
    static final int BYTES = 64 * 1024;

    /** Processed bytes are told to the connection in portions of this. */
    private static final int ACCOUNTED_BYTES = 8 * 1024;

    final MemorySegment memory = Arena.ofAuto().allocate(BYTES, 64);
    private int used;
    private int frames;

    private Batch() {}

    int used() {
        return used;
    }

    int frames() {
        return frames;
    }

    int room() {
        return BYTES - used;
    }

    private void clear() {
        used = 0;
        frames = 0;
    }

    /** Adds a frame; there must be room for {@link Credit#cost} of its length. */
    void addFrame(MemorySegment source, long offset, int length) {
        memory.set(Frames.LONG, used, length);
        MemorySegment.copy(source, offset, memory, used + Long.BYTES, length);
        used += Credit.cost(length);
        frames++;
    }

    /** Adds what lies in a frame of many in the same way; there must be room. */
    void addMany(MemorySegment source, long offset, int length, int count) {
        MemorySegment.copy(source, offset, memory, used, length);
        used += length;
        frames += count;
    }

    /** Adds the frames of another batch; there must be room. */
    void addFrames(Batch other) {
        MemorySegment.copy(other.memory, 0, memory, used, other.used);
        used += other.used;
        frames += other.frames;
    }

    /** Adds bytes; there must be room. */
    void addBytes(MemorySegment source, long offset, int length) {
        MemorySegment.copy(source, offset, memory, used, length);
        used += length;
    }

    @Override
    void open(Handler handler) {
        Connection connection = connection();
        int at = 0;
        int unaccounted = 0;
        int messages = 0;
        while (at < used) {
            int length = (int) memory.get(Frames.LONG, at);
            handler.deliver(connection, memory, at + Long.BYTES, length);
            int cost = Credit.cost(length);
            at += cost;
            unaccounted += cost;
            messages++;
            if (unaccounted >= ACCOUNTED_BYTES) {
                connection.processed(messages, unaccounted);
                unaccounted = 0;
                messages = 0;
            }
        }
        connection.processed(messages, unaccounted);
    }

    @Override
    void discard() {
        connection().engine().batches().giveBack(this);
    }

    /** Batches that are not in use. Any thread. */
    static final class Pool {
        private static final int MOST_KEPT = 256;

        private final Deque<Batch> free = new ArrayDeque<>(MOST_KEPT + 1); // guarded by this

        synchronized Batch take() {
            Batch batch = free.pollLast();
            return batch != null ? batch : new Batch();
        }

        synchronized void giveBack(Batch batch) {
            batch.clear();
            if (free.size() < MOST_KEPT) {
                free.addLast(batch);
            }
        }
    }
}
