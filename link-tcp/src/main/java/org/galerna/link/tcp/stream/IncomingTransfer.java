package org.galerna.link.tcp.stream;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.galerna.link.tcp.wire.Wire;
import org.jspecify.annotations.Nullable;

/** Bytes of a peer's that go to memory of this rank, because it has asked for them or the peer puts them there. */
public final class IncomingTransfer {
    final long id;
    private final @Nullable MemorySegment target;
    private final long length;
    private long received;
    private @Nullable RuntimeException failure;

    IncomingTransfer(long id, MemorySegment target) {
        this.id = id;
        this.target = target;
        this.length = target.byteSize();
    }

    private IncomingTransfer() {
        this.id = 0;
        this.target = null;
        this.length = Long.MAX_VALUE;
    }

    /** One whose bytes nobody wants any more. */
    static IncomingTransfer discarding() {
        return new IncomingTransfer();
    }

    long missing() {
        return length - received;
    }

    /** Why the memory could not be written; null if it could. */
    @Nullable
    RuntimeException failure() {
        return failure;
    }

    /** The place of the next bytes, where the socket can put them there itself; null otherwise. */
    @Nullable
    ByteBuffer place(int bytes) {
        if (target == null || failure != null || !target.isNative()) {
            return null;
        }
        try {
            return target.asSlice(received, bytes).asByteBuffer();
        } catch (RuntimeException inaccessible) {
            failure = inaccessible;
            return null;
        }
    }

    /** Has the socket put the next bytes in an array; number of bytes, see {@link Wire#receive}. */
    int receive(Wire wire, int bytes) throws IOException {
        if (target == null) {
            throw new IllegalStateException("there is no place for what nobody wants");
        }
        int count = wire.receive(target, received, bytes);
        received += Math.max(0, count);
        return count;
    }

    /** Whether the bytes go to an array that can be written, as far as is known. */
    boolean isForArray() {
        return target != null && failure == null && !target.isNative() && !target.isReadOnly();
    }

    /** Counts bytes that the socket has put in place. */
    void arrived(int bytes) {
        received += bytes;
    }

    void fail(RuntimeException inaccessible) {
        failure = inaccessible;
    }

    /** Takes bytes that lie elsewhere. */
    void take(MemorySegment source, long offset, int bytes) {
        if (target != null && failure == null) {
            try {
                MemorySegment.copy(source, offset, target, received, bytes);
            } catch (RuntimeException inaccessible) { // freed, read-only, or another thread's alone
                failure = inaccessible;
            }
        }
        received += bytes;
    }
}
