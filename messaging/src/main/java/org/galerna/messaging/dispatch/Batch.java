package org.galerna.messaging.dispatch;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import org.galerna.messaging.flow.Credit;
import org.galerna.messaging.wire.Frames;

/**
 * A buffer of messages that have come in, one behind the other, padded to 8 bytes; or of a stretch of one that came in
 * pieces. Filled by the polling thread, then read by one handler, then given back.
 *
 * <p>It lies on the heap: fields are read out of an array of bytes faster than out of a segment, and the collector has
 * nothing to look for in it.
 */
public final class Batch extends WorkItem {
    public static final int BYTES = 64 * 1024;

    final byte[] memory;
    private final BatchPool pool;
    private int used;
    private int frames;

    Batch(BatchPool pool, int bytes) {
        this.pool = pool;
        memory = new byte[bytes];
    }

    /** Where they lie. */
    public byte[] memory() {
        return memory;
    }

    public int used() {
        return used;
    }

    public int frames() {
        return frames;
    }

    public int room() {
        return memory.length - used;
    }

    /** Whether most of its memory is empty. */
    public boolean isWasteful() {
        return used < memory.length / 4;
    }

    /** The same in no more memory than it needs; nothing can be added to it. */
    public Batch compact() {
        Batch compact = new Batch(pool, used);
        System.arraycopy(memory, 0, compact.memory, 0, used);
        compact.used = used;
        compact.frames = frames;
        compact.address(origin(), isOrdered());
        return compact;
    }

    void clear() {
        used = 0;
        frames = 0;
    }

    /**
     * Adds a frame; there must be room for {@link Credit#cost} of its length.
     *
     * @param header what it begins with: it was checked, and the sender can still change what is there
     */
    public void addFrame(MemorySegment source, long offset, int length, long header) {
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
    public void addFrame(byte[] source, int offset, int length) {
        System.arraycopy(source, offset, memory, used, length);
        used += Credit.cost(length);
        frames++;
    }

    /** Copies several messages to where the next ones go, there must be room. Returns where that is. */
    public int stage(MemorySegment source, long offset, int length) {
        MemorySegment.copy(source, JAVA_BYTE, offset, memory, used, length);
        return used;
    }

    /** Adds what was staged. */
    public void addStaged(int length, int count) {
        used += length;
        frames += count;
    }

    /** Adds the frames of another batch; there must be room. */
    public void addFrames(Batch other) {
        System.arraycopy(other.memory, 0, memory, used, other.used);
        used += other.used;
        frames += other.frames;
    }

    /** Adds bytes; there must be room. */
    public void addBytes(MemorySegment source, long offset, int length) {
        MemorySegment.copy(source, JAVA_BYTE, offset, memory, used, length);
        used += length;
    }

    @Override
    public void open(Deliverer deliverer) {
        deliverer.deliverAll(origin(), memory, used);
    }

    @Override
    public int messages() {
        return frames;
    }

    @Override
    public void discard() {
        pool.giveBack(this);
    }
}
