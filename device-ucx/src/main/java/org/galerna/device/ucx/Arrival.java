package org.galerna.device.ucx;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import org.galerna.memory.Buffers;
import org.galerna.nativeaccess.memory.RawMemory;
import org.galerna.nativeaccess.ucx.UcxWorker;
import org.jspecify.annotations.Nullable;

/**
 * A message that comes, or has come and waits for its receive. It is one of three: the bytes behind a header (16 bytes: kind,
 * number); the same, whose sender wants to know when it is received; or an announcement (12 bytes: number, length), which is
 * shorter than any header. Guarded by the engine's lock.
 */
final class Arrival extends Operation {
    static final int HEADER = 16;
    static final int ANNOUNCEMENT = 12;
    static final int KIND_EAGER = 0;
    static final int KIND_SYNCHRONOUS = 1;

    private static final int NUMBER = 8;
    private static final int LENGTH = 4;

    private final Engine engine;

    /** Where UCX puts it; 0 if that has been given back. */
    long slot;

    private byte @Nullable [] copy;
    private boolean complete;
    private long bytes;
    int source;
    int tag;
    int context;

    /** Whether a probe has found it, so that it stays. */
    boolean probed;

    /** The receive that gets it; null if none has come. */
    @Nullable
    ReceiveRequest receiver;

    /** The bytes of an announced message that have been fetched without a receive; null if they have not. */
    @Nullable
    MemorySegment kept;

    /** Whether those bytes are still on their way. */
    boolean fetching;

    /** Why those bytes do not come; null if they do. */
    Fetches.@Nullable Failure failure;

    Arrival(Engine engine) {
        this.engine = engine;
    }

    static void writeHeader(long slot, int kind, int number) {
        RawMemory.ALL.set(JAVA_LONG_UNALIGNED, slot, kind);
        RawMemory.ALL.set(JAVA_LONG_UNALIGNED, slot + NUMBER, number);
    }

    static void writeAnnouncement(long slot, int number, long length) {
        RawMemory.ALL.set(JAVA_INT_UNALIGNED, slot, number);
        RawMemory.ALL.set(JAVA_LONG_UNALIGNED, slot + LENGTH, length);
    }

    void restart() {
        slot = engine.slots().take();
        copy = null;
        complete = false;
        probed = false;
        receiver = null;
        kept = null;
        fetching = false;
        failure = null;
        request = 0;
    }

    /** Takes note of what UCX says about the message. */
    void identify(long ofTag, long ofBytes) {
        source = engine.tags().source(ofTag);
        tag = engine.tags().tag(ofTag);
        context = engine.tags().context(ofTag);
        bytes = ofBytes;
    }

    void markComplete() {
        complete = true;
    }

    /** Copies what is in the slot, and gives that back. */
    void moveOutOfSlot() {
        copy = RawMemory.ALL.asSlice(slot, bytes).toArray(JAVA_BYTE);
        leaveSlot();
    }

    /** Gives the slot back, if it has not been given back yet. */
    void leaveSlot() {
        if (slot != 0) {
            engine.slots().give(slot);
            slot = 0;
        }
    }

    boolean isComplete() {
        return complete;
    }

    boolean isAnnounced() {
        return bytes < HEADER;
    }

    private long getLong(int offset) {
        return copy == null
                ? RawMemory.ALL.get(JAVA_LONG_UNALIGNED, slot + offset)
                : MemorySegment.ofArray(copy).get(JAVA_LONG_UNALIGNED, offset);
    }

    boolean isSynchronous() {
        return !isAnnounced() && getLong(0) == KIND_SYNCHRONOUS;
    }

    /** The number that its sender knows it by. */
    int number() {
        return (int) (isAnnounced() ? getLong(0) : getLong(NUMBER));
    }

    /** Bytes of the message. */
    long length() {
        return isAnnounced() ? getLong(LENGTH) : bytes - HEADER;
    }

    /** Copies the first bytes of a message that has not been announced. */
    void copyTo(Object buffer, long offset, long count) {
        if (copy == null) {
            Buffers.copy(RawMemory.ALL, slot + HEADER, buffer, offset, count);
        } else {
            Buffers.copy(MemorySegment.ofArray(copy), HEADER, buffer, offset, count);
        }
    }

    @Override
    int peer() {
        return -1; // what has come stays when its sender goes
    }

    @Override
    boolean isReceive() {
        return true;
    }

    @Override
    void completed(int status) {
        engine.inbound().arrived(this, status == UcxWorker.OK ? 0 : status);
    }
}
