package org.galerna.messaging.coalescing;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.galerna.messaging.wire.Frames.HEADER_BYTES;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.galerna.link.process.ProcessFence;
import org.galerna.messaging.flow.Credit;
import org.galerna.messaging.serialization.Exporter;
import org.galerna.messaging.wire.Frames;
import org.galerna.messaging.wire.WireType;
import org.jspecify.annotations.Nullable;

/**
 * Where one thread that sends one short message after the other gathers them for one connection, so that the window is
 * taken, a frame claimed and committed once for many. Each of these is an atomic operation, which waits until the stores
 * before it have reached the cache; stores to memory that the receiver has just read take long. The frame goes when it is
 * full, when its thread sends something else, or when the polling thread finds that nothing is added any more.
 *
 * <p>It is not claimed in the ring beforehand: the receiver cannot pass a claim that is not committed, so that a thread
 * that pauses would hold up all others. What is gathered lies in the sender's cache, in an array, and is copied as a whole:
 * a copy of 4 KiB takes as long as writing one of the fifty messages in it.
 *
 * <p>Its thread is the owner in the sense of {@link Seizable}. What is not said to be atomic below is used inside only.
 */
public final class Coalescer extends Seizable {
    /** Length from which on a frame of many is full. */
    public static final int BYTES = 4 * 1024;

    /** Longest message that is gathered, with its header: copying what is longer costs more than is saved. */
    public static final int LONGEST_MESSAGE = BYTES / 8;

    private static final VarHandle ADDED;
    private static final VarHandle MESSAGES;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            ADDED = lookup.findVarHandle(Coalescer.class, "added", long.class);
            MESSAGES = lookup.findVarHandle(Coalescer.class, "messages", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /** Another message always fits behind what is not full yet. */
    private final byte[] bytes;

    private final int full;
    private int used = HEADER_BYTES;
    private boolean closed;
    private boolean rested;

    /** Messages now in it; changed inside, read by anybody (opaque). */
    private int messages;

    /** Messages ever added; changed inside, read by anybody (opaque). */
    private long added;

    // of the polling thread
    private long addedBefore;
    private long lookedAt = System.nanoTime();

    private Coalescer(int length) {
        super(ProcessFence.instance());
        bytes = new byte[length];
        full = length - LONGEST_MESSAGE;
    }

    /** For frames of at most so many bytes; null if they are too short for that. */
    public static @Nullable Coalescer forFrames(int longest) {
        int length = Math.min(BYTES + LONGEST_MESSAGE, longest);
        return length < 2 * LONGEST_MESSAGE ? null : new Coalescer(length);
    }

    // ---- from outside

    /** Messages in it at the moment. */
    public int messages() {
        return (int) MESSAGES.getOpaque(this);
    }

    /**
     * Whether something lies in it to which nothing was added between two looks with at least so much time between them. By
     * the polling thread.
     */
    public boolean isStale(long now, long nanos) {
        return messages() != 0 && isUnchanged(now, nanos);
    }

    /** Whether nothing was added since the last look, which was at least so long ago. By the polling thread. */
    public boolean isUnused(long now, long nanos) {
        return isUnchanged(now, nanos) && messages() == 0;
    }

    private boolean isUnchanged(long now, long nanos) {
        long count = (long) ADDED.getOpaque(this);
        if (count != addedBefore) {
            addedBefore = count;
            lookedAt = now;
            return false;
        }
        return now - lookedAt >= nanos;
    }

    // ---- inside; by the owner from outside, too, for others only make room

    public boolean isFull() {
        return used >= full;
    }

    // ---- inside

    public boolean isClosed() {
        return closed;
    }

    /** Lets nothing in any more, and forgets what is in it. */
    public void close() {
        closed = true;
        clear();
    }

    /** Somebody else had to send what lay in it. */
    public void rest() {
        rested = true;
    }

    /** Whether {@link #rest} was called since this was asked last. */
    public boolean hasRested() {
        boolean was = rested;
        if (was) {
            rested = false;
        }
        return was;
    }

    /**
     * Adds a message; it must not be full. If its serializer throws, nothing is added.
     *
     * @param out throws if the message is longer than {@link #LONGEST_MESSAGE}
     * @return number of messages that were in it before
     */
    public <T> int add(WireType<T> type, T message, Exporter out) {
        int at = used;
        out.begin(bytes, at + HEADER_BYTES, LONGEST_MESSAGE - HEADER_BYTES);
        type.serializer().write(message, out);
        int length = HEADER_BYTES + out.written();
        Frames.setWord(bytes, at, Frames.withLength(Frames.header(Frames.MESSAGE, type.version(), type.id()), length));
        used = at + Credit.cost(length);
        int before = messages;
        MESSAGES.setOpaque(this, before + 1);
        ADDED.setOpaque(this, added + 1);
        return before;
    }

    /** What it takes in the receiver's buffer. */
    public int cost() {
        return used - HEADER_BYTES;
    }

    /** Length as a frame. */
    public int length() {
        return used;
    }

    public void copyTo(MemorySegment target, long offset) {
        Frames.setWord(bytes, 0, Frames.withLength(Frames.header(Frames.MANY, 0, 0), messages));
        MemorySegment.copy(bytes, 0, target, JAVA_BYTE, offset, used);
    }

    public void clear() {
        used = HEADER_BYTES;
        MESSAGES.setOpaque(this, 0);
    }
}
