package org.galerna.mpi.session;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;

/**
 * Memory outside the heap for messages, zeroed at first. Where ranks share memory, the receiver of a large message reads it
 * there. It is the program's until {@link #close}, or until the session ends. Any thread may use it.
 */
public final class MessageMemory {
    private final Session session;
    private final Arena arena;
    private final MemorySegment segment;

    /** That many bytes, at least 1. */
    public MessageMemory(Session session, long bytes) {
        if (bytes < 1) {
            throw new DeviceException(ErrorClass.ARG, "at least 1 byte can be allocated, not " + bytes);
        }
        this.session = session;
        this.arena = Arena.ofShared();
        try {
            this.segment = session.device().allocate(bytes, arena);
        } catch (OutOfMemoryError none) {
            throw new DeviceException(
                    ErrorClass.OTHER, "there are no " + bytes + " bytes of memory: " + none.getMessage());
        }
        session.keep(arena);
    }

    /** The memory. */
    public MemorySegment segment() {
        return segment;
    }

    /**
     * Gives the memory back. No effect if that has been done.
     *
     * @throws DeviceException if an operation of the system is under way in it
     */
    public void close() {
        if (session.forget(arena)) {
            try {
                arena.close();
            } catch (IllegalStateException busy) {
                session.keep(arena);
                throw new DeviceException(ErrorClass.BUFFER, "the memory is in use: " + busy);
            }
        }
    }

    /** How much, and whether it has been given back. */
    @Override
    public String toString() {
        return segment.byteSize() + " bytes" + (segment.scope().isAlive() ? "" : ", given back");
    }
}
