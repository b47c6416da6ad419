package org.galerna.messaging;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A buffer of messages that have come in, one behind the other, padded to 8 bytes; or of a stretch of one that came in
 * pieces. Filled by the polling thread, then read by one handler, then given back.
 *
 * <p>It lies on the heap: fields are read out of an array of bytes faster than out of a segment, and the collector has
 * nothing to look for in it.
 */
final class Batch extends Parcel {
    static final int BYTES = 64 * 1024;

    final byte[] memory;
    private int used;
    private int frames;

    private Batch(int bytes) {
        memory = new byte[bytes];
    }

    int used() {
        return used;
    }

    int frames() {
        return frames;
    }

    int room() {
        return memory.length - used;
    }

    /** Whether most of its memory is empty. */
    boolean isWasteful() {
        return used < memory.length / 4;
    }

    /** The same in no more memory than it needs; nothing can be added to it. */
    Batch compact() {
        Batch compact = new Batch(used);
        System.arraycopy(memory, 0, compact.memory, 0, used);
        compact.used = used;
        compact.frames = frames;
        compact.address(connection(), isOrdered());
        return compact;
    }

    private void clear() {
        used = 0;
        frames = 0;
    }

    /**
     * Adds a frame; there must be room for {@link Credit#cost} of its length.
     *
     * @param header what it begins with: it was checked, and the sender can still change what is there
     */
    void addFrame(MemorySegment source, long offset, int length, long header) {
        MemorySegment.copy(source, JAVA_BYTE, offset, memory, used, length);
        Frames.setWord(memory, used, Frames.withLength(header, length));
        if (Frames.kind(header) == Frames.REQUEST) {
            int limit = used + Frames.LIMIT_OFFSET;
            Frames.setWord(memory, limit, Frames.deadline(System.nanoTime(), Frames.word(memory, limit)));
        }
        used += Credit.cost(length);
        frames++;
    }

    /** Adds a message with its header; there must be room for {@link Credit#cost} of its length. */
    void addFrame(byte[] source, int offset, int length) {
        System.arraycopy(source, offset, memory, used, length);
        used += Credit.cost(length);
        frames++;
    }

    /** Copies several messages to where the next ones go, there must be room. Returns where that is. */
    int stage(MemorySegment source, long offset, int length) {
        MemorySegment.copy(source, JAVA_BYTE, offset, memory, used, length);
        return used;
    }

    /** Adds what was staged. */
    void addStaged(int length, int count) {
        used += length;
        frames += count;
    }

    /** Adds the frames of another batch; there must be room. */
    void addFrames(Batch other) {
        System.arraycopy(other.memory, 0, memory, used, other.used);
        used += other.used;
        frames += other.frames;
    }

    /** Adds bytes; there must be room. */
    void addBytes(MemorySegment source, long offset, int length) {
        MemorySegment.copy(source, JAVA_BYTE, offset, memory, used, length);
        used += length;
    }

    @Override
    void open(Handler handler) {
        handler.deliverAll(connection(), memory, used);
    }

    @Override
    int messages() {
        return frames;
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
            return batch != null ? batch : new Batch(BYTES);
        }

        synchronized void giveBack(Batch batch) {
            batch.clear();
            if (batch.memory.length == BYTES && free.size() < MOST_KEPT) {
                free.addLast(batch);
            }
        }
    }
}
