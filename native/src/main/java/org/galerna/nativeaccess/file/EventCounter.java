package org.galerna.nativeaccess.file;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.galerna.nativeaccess.call.CFunction;

/**
 * A bell that wakes who waits for its descriptor to become readable: Linux' {@code eventfd(2)}, or the copy of one that
 * another process has {@linkplain DescriptorPassing handed over}. Any thread may ring it and close it; no call blocks.
 */
public final class EventCounter implements AutoCloseable {
    private static final int CLOSE_ON_EXEC_DO_NOT_BLOCK = 0x80800;

    private static final CFunction EVENTFD = CFunction.of("eventfd");
    private static final CFunction WRITE = CFunction.of("write");
    private static final CFunction CLOSE = CFunction.of("close");

    private static final MemorySegment ONE = one();

    private final int descriptor;
    private boolean closed; // guarded by this

    private EventCounter(int descriptor) {
        this.descriptor = descriptor;
    }

    private static MemorySegment one() {
        MemorySegment one = Arena.global().allocate(JAVA_LONG);
        one.set(JAVA_LONG, 0, 1);
        return one;
    }

    /**
     * A new one.
     *
     * @throws SystemCallException if no descriptor is left
     */
    public static EventCounter create() throws SystemCallException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = CFunction.state(arena);
            int descriptor = (int) EVENTFD.call(state, 0, CLOSE_ON_EXEC_DO_NOT_BLOCK);
            if (descriptor < 0) {
                int errno = CFunction.errno(state);
                throw new SystemCallException("cannot make an event counter", errno, CFunction.describe(errno));
            }
            return new EventCounter(descriptor);
        }
    }

    /** One that this process was given, which belongs to the result from now on. */
    public static EventCounter of(int descriptor) {
        Descriptors.doNotBlock(descriptor); // whatever it is that somebody has handed over
        return new EventCounter(descriptor);
    }

    /** The descriptor, which is readable from the first ring on; it stays open until this is closed. */
    public int descriptor() {
        return descriptor;
    }

    /** Rings; no effect once this is closed. */
    public synchronized void ring() {
        if (!closed) {
            WRITE.call(CFunction.IGNORED, descriptor, ONE.address(), Long.BYTES);
        }
    }

    /** Idempotent. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            CLOSE.call(CFunction.IGNORED, descriptor);
        }
    }
}
