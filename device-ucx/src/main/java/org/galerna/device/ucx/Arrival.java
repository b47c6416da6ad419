package org.galerna.device.ucx;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import org.galerna.memory.Buffers;
import org.galerna.nativeaccess.memory.RawMemory;
import org.galerna.nativeaccess.ucx.UcxWorker;
import org.jspecify.annotations.Nullable;

/**
 * A message that comes, or has come and waits for its receive. It is one of three: the bytes behind a header; the same, whose
 * sender wants to know when it is received; or an announcement. Guarded by the engine's lock.
 *
 * <pre>
 *    0 +--------------------------------+
 *      | tag of UCX (8)                 |
 *    8 +----------+----------+----------+
 *      | kind (4) | number (4)          |
 *   16 +----------+---------------------+
 *      | length (8)                     |
 *   24 +--------------------------------+
 *      | bytes, unless it is announced  |
 * </pre>
 *
 * <p>The tag and the length are what UCX tells about a message, too: to read them here is cheaper than to ask.
 */
final class Arrival extends Operation {
    static final int HEADER = 24;
    static final int KIND_EAGER = 0;
    static final int KIND_SYNCHRONOUS = 1;
    static final int KIND_ANNOUNCED = 2;

    private static final int KIND = 8;
    private static final int NUMBER = 12;
    private static final int LENGTH = 16;
    private static final byte[] NOTHING = {};

    private final Engine engine;

    /** Where UCX puts it; 0 if that has been given back. */
    long slot;

    private byte @Nullable [] copy;
    private boolean complete;
    private int kind;
    private int number;
    private long length;
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

    /** What UCX needs of its receive; 0 until there is one. */
    private long receive;

    Arrival(Engine engine) {
        this.engine = engine;
    }

    /** What UCX needs of its receive. */
    long receive(UcxWorker worker) {
        if (receive == 0) {
            receive = worker.newReceive();
        }
        return receive;
    }

    static void writeHeader(long slot, long tag, int kind, int number, long length) {
        RawMemory.ALL.set(JAVA_LONG, slot, tag);
        RawMemory.ALL.set(JAVA_INT, slot + KIND, kind);
        RawMemory.ALL.set(JAVA_INT, slot + NUMBER, number);
        RawMemory.ALL.set(JAVA_LONG, slot + LENGTH, length);
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

    /** Takes note of what UCX says about a message that may be on its way still. */
    void identify(long ofTag) {
        source = engine.tags().source(ofTag);
        tag = engine.tags().tag(ofTag);
        context = engine.tags().context(ofTag);
    }

    /** It is in its slot. */
    void markComplete() {
        complete = true;
        identify(RawMemory.ALL.get(JAVA_LONG, slot));
        kind = RawMemory.ALL.get(JAVA_INT, slot + KIND);
        number = RawMemory.ALL.get(JAVA_INT, slot + NUMBER);
        length = RawMemory.ALL.get(JAVA_LONG, slot + LENGTH);
        if (length < 0 || (!isAnnounced() && length > engine.eagerLimit())) {
            throw new IllegalStateException("rank " + source + " runs another version of Galerna");
        }
    }

    /** Copies what is in the slot, and gives that back. */
    void moveOutOfSlot() {
        copy = isAnnounced()
                ? NOTHING
                : RawMemory.ALL.asSlice(slot + HEADER, length).toArray(JAVA_BYTE);
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
        return kind == KIND_ANNOUNCED;
    }

    boolean isSynchronous() {
        return kind == KIND_SYNCHRONOUS;
    }

    /** The number that its sender knows it by. */
    int number() {
        return number;
    }

    /** Bytes of the message. */
    long length() {
        return length;
    }

    /** Copies the first bytes of a message that has not been announced. */
    void copyTo(Object buffer, long offset, long count) {
        if (copy == null) {
            Buffers.copy(RawMemory.ALL, slot + HEADER, buffer, offset, count);
        } else {
            Buffers.copy(MemorySegment.ofArray(copy), 0, buffer, offset, count);
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
    boolean ownsRequest() {
        return true;
    }

    @Override
    void completed(int status) {
        engine.inbound().arrived(this, status == UcxWorker.OK ? 0 : status);
    }
}
