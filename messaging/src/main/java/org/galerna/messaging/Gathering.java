package org.galerna.messaging;

import static org.galerna.messaging.Frames.HEADER_BYTES;
import static org.galerna.messaging.Frames.LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.galerna.link.ProcessFence;
import org.galerna.messaging.serialization.Exporter;

/**
 * Where one thread that sends one short message after the other gathers them for one connection, so that the window is
 * taken, a frame claimed and committed once for many. Each of these is an atomic operation, which waits until the stores
 * before it have reached the cache; stores to memory that the receiver has just read take long. The frame goes when it is
 * full, when its thread sends something else, or when the polling thread finds that nothing is added any more.
 *
 * <p>It is not claimed in the ring beforehand: the receiver cannot pass a claim that is not committed, so that a thread
 * that pauses would hold up all others. What is gathered lies in the sender's cache, and is copied as a whole.
 *
 * <p>Its thread is the owner in the sense of {@link Seizable}. What is not said to be atomic below is used inside only.
 */
final class Gathering extends Seizable {
    /** Of a frame of many. */
    static final int BYTES = 4 * 1024;

    /** Longest message that is gathered: copying what is longer costs more than is saved. */
    static final int LONGEST_MESSAGE = BYTES / 8;

    private static final VarHandle ADDED;
    private static final VarHandle MESSAGES;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            ADDED = lookup.findVarHandle(Gathering.class, "added", long.class);
            MESSAGES = lookup.findVarHandle(Gathering.class, "messages", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final MemorySegment memory = Arena.ofAuto().allocate(BYTES, Long.BYTES);
    private final int limit;
    private int used = HEADER_BYTES;
    private boolean closed;

    /** Messages now in it; changed inside, read by anybody (opaque). */
    private int messages;

    /** Messages ever added; changed inside, read by anybody (opaque). */
    private long added;

    // of the polling thread
    private long addedBefore;
    private long lookedAt = System.nanoTime();

    /** For frames of at most so many bytes. */
    Gathering(int longestFrame) {
        super(ProcessFence.instance());
        limit = Math.min(BYTES, longestFrame);
    }

    // ---- from outside

    /** Messages in it at the moment. */
    int messages() {
        return (int) MESSAGES.getOpaque(this);
    }

    /**
     * Whether something lies in it to which nothing was added between two looks with at least so much time between them. By
     * the polling thread.
     */
    boolean isStale(long now, long nanos) {
        if (messages() == 0) {
            return false;
        }
        long count = (long) ADDED.getOpaque(this);
        if (count != addedBefore) {
            addedBefore = count;
            lookedAt = now;
            return false;
        }
        return now - lookedAt >= nanos;
    }

    /** Whether nothing was added since the last look, which was at least so long ago. By the polling thread. */
    boolean isUnused(long now, long nanos) {
        long count = (long) ADDED.getOpaque(this);
        if (count != addedBefore) {
            addedBefore = count;
            lookedAt = now;
            return false;
        }
        return messages() == 0 && now - lookedAt >= nanos;
    }

    // ---- inside

    boolean isClosed() {
        return closed;
    }

    /** Lets nothing in any more, and forgets what is in it. */
    void close() {
        closed = true;
        clear();
    }

    /**
     * Bytes for a message with its header, at most, that can still be added. The owner may ask from outside, too: somebody
     * else can only have made more room meanwhile.
     */
    int room() {
        return limit - used - Long.BYTES;
    }

    /** Adds a message; its serializer throws if it is longer than {@link #room}, and then nothing is added. */
    <T> int add(MessageType<T> type, T message, Exporter out) {
        int at = used + Long.BYTES;
        out.begin(memory, at + HEADER_BYTES, limit - at - HEADER_BYTES);
        type.serializer().write(message, out);
        int length = HEADER_BYTES + out.written();
        memory.set(LONG, at, Frames.header(Frames.MESSAGE, type.version(), type.id()));
        memory.set(LONG, used, length);
        used += Credit.cost(length);
        int before = messages;
        MESSAGES.setOpaque(this, before + 1);
        ADDED.setOpaque(this, added + 1);
        return before;
    }

    /** What it takes in the receiver's buffer. */
    int cost() {
        return used - HEADER_BYTES;
    }

    /** Length as a frame. */
    int length() {
        return used;
    }

    void copyTo(MemorySegment target, long offset) {
        memory.set(LONG, 0, Frames.header(Frames.MANY, 0, 0) | (long) messages << Integer.SIZE);
        MemorySegment.copy(memory, 0, target, offset, used);
    }

    void clear() {
        used = HEADER_BYTES;
        MESSAGES.setOpaque(this, 0);
    }
}
