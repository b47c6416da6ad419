package org.galerna.link.tcp.stream;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.link.tcp.wire.Frames;
import org.jspecify.annotations.Nullable;

/** Bytes of memory of this rank that travel to a peer, because it has asked for them or this rank puts them there. */
public final class OutgoingTransfer {
    /** {@link Frames#GET_DATA} or {@link Frames#PUT_DATA}. */
    final int type;

    final long id;
    final MemorySegment source;

    /** Bytes that are on their way; guarded by the lock of the {@link Outbound}. */
    long sent;

    /** The peer does not want the rest. */
    volatile boolean refused;

    private volatile @Nullable RuntimeException failure;
    private final @Nullable AtomicInteger underWay;

    /** One that this rank has started. */
    OutgoingTransfer(int type, long id, MemorySegment source) {
        this(type, id, source, null);
    }

    /**
     * One that the peer has asked for.
     *
     * @param underWay counts it; counted down at its end
     */
    OutgoingTransfer(int type, long id, MemorySegment source, @Nullable AtomicInteger underWay) {
        this.type = type;
        this.id = id;
        this.source = source;
        this.underWay = underWay;
    }

    /** After the last byte, or in its place. */
    void end() {
        if (underWay != null) {
            underWay.decrementAndGet();
        }
    }

    /** Its memory cannot be read any more. */
    void fail(RuntimeException inaccessible) {
        failure = inaccessible;
        refused = true;
    }

    /** Why its memory could not be read; null if it could. */
    @Nullable
    RuntimeException failure() {
        return failure;
    }

    boolean isOver() {
        return refused || sent == source.byteSize();
    }
}
