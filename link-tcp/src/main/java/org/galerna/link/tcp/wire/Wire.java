package org.galerna.link.tcp.wire;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.util.Optional;
import org.galerna.nativeaccess.socket.SystemAnswers;

/**
 * A connection as a stream of bytes. No call but {@link #close} blocks. One thread at a time reads and one at a time
 * writes.
 */
public interface Wire {
    /** Bytes read; 0 if there are none at the moment, -1 if the peer has ended its side. */
    int read(ByteBuffer target) throws IOException;

    /** As {@link #read(ByteBuffer)}, filling the buffers in turn. */
    long read(ByteBuffer[] targets) throws IOException;

    /** Bytes written; 0 if there is no room at the moment. */
    int write(ByteBuffer source) throws IOException;

    /** As {@link #write(ByteBuffer)}, for some buffers in turn. */
    long write(ByteBuffer[] sources, int offset, int count) throws IOException;

    /** Whether {@link #receive} and {@link #send} are there: the system itself copies from and to arrays. */
    default boolean reachesArrays() {
        return false;
    }

    /**
     * As {@link #read(ByteBuffer)}, to memory of any kind; only where {@link #reachesArrays}.
     *
     * @throws RuntimeException if the memory is not accessible
     */
    default int receive(MemorySegment target, long offset, long length) throws IOException {
        throw new IllegalStateException("this wire does not reach arrays");
    }

    /**
     * As {@link #write(ByteBuffer)}, from memory of any kind; only where {@link #reachesArrays}.
     *
     * @param more whether other bytes follow at once, so that the last ones may travel with them
     * @throws RuntimeException if the memory is not accessible
     */
    default int send(MemorySegment source, long offset, long length, boolean more) throws IOException {
        throw new IllegalStateException("this wire does not reach arrays");
    }

    /**
     * Writes what the wire itself keeps of bytes that count as written.
     *
     * @return false if the socket takes no more at the moment
     */
    default boolean flush() throws IOException {
        return true;
    }

    /** Bytes that count as written and that have not reached the peer's system yet, as far as can be known. */
    default long underWay() {
        return 0;
    }

    /** What the system of the peer has answered; empty if this system does not tell. */
    default Optional<SystemAnswers> answers() {
        return Optional.empty();
    }

    /** Whether both ends are known to be on one host, whose system tells each process of the other's end. */
    default boolean isWithinHost() {
        return false;
    }

    /** Whether there may be bytes to read that the socket does not know of. */
    default boolean hasBuffered() {
        return false;
    }

    /** Bytes that both ends of this connection know, and nobody else does; none where nothing protects it. */
    default byte[] binding() {
        return new byte[0];
    }

    /** This wire over another way to use the same socket. */
    default Wire continueOn(Wire other) {
        return other;
    }

    /**
     * Has a selector tell when there is something to read, or room to write. A wire whose threads tell for themselves
     * does nothing.
     *
     * @param attachment what the selector's key carries
     */
    void select(Selector selector, Object attachment, boolean reading, boolean writing) throws IOException;

    /** Whether a selector can tell. */
    boolean isSelectable();

    /** Closes it when what counts as written has reached the system; for a wire that was read to its end. */
    default void closeBehindLast() {
        close();
    }

    /** Gives everything up. */
    void close();
}
