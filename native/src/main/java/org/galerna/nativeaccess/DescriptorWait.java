package org.galerna.nativeaccess;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Sleeping until a file descriptor of a library is readable or somebody wakes the sleeper: {@code poll(2)} and an
 * {@code eventfd(2)}. One thread sleeps at a time, which must be one of the platform; any thread may wake it. A wake-up
 * that nobody sleeps for ends the next sleep. Linux only.
 */
public final class DescriptorWait implements AutoCloseable {
    private static final int CLOSE_ON_EXEC_DO_NOT_BLOCK = 0x80800;
    private static final int ENTRY_BYTES = 8; // struct pollfd: descriptor (4), wanted (2), found (2)
    private static final int WANTED = 4;
    private static final int FOUND = 6;
    private static final short READABLE = 1;

    private static final MethodHandle POLL =
            bind("poll", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    private static final MethodHandle EVENTFD = bind("eventfd", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle READ =
            bind("read", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle WRITE =
            bind("write", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle CLOSE = bind("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

    private final Arena arena = Arena.ofAuto();
    private final int bell;
    private final int count;
    private final MemorySegment entries;
    private final MemorySegment one = arena.allocate(JAVA_LONG);
    private final MemorySegment drained = arena.allocate(JAVA_LONG);
    private boolean closed; // guarded by this

    /** Sleeps for these descriptors, at most 31 of them, which must stay open until this is closed. */
    public DescriptorWait(int... descriptors) {
        this.count = descriptors.length;
        this.bell = eventCounter();
        this.entries = arena.allocate((count + 1L) * ENTRY_BYTES, 8);
        one.set(JAVA_LONG, 0, 1);
        for (int index = 0; index <= count; index++) {
            entries.set(JAVA_INT, (long) index * ENTRY_BYTES, index < count ? descriptors[index] : bell);
            entries.set(JAVA_SHORT, (long) index * ENTRY_BYTES + WANTED, READABLE);
        }
    }

    private static int eventCounter() {
        try {
            int descriptor = (int) EVENTFD.invokeExact(0, CLOSE_ON_EXEC_DO_NOT_BLOCK);
            if (descriptor >= 0) {
                return descriptor;
            }
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
        throw new IllegalStateException("no file descriptor is left (ulimit -n)");
    }

    /**
     * Sleeps until a descriptor is readable, somebody wakes this, or the time is over; may return early for no reason.
     *
     * @param nanos longest time to sleep, in nanoseconds; rounded up to milliseconds
     * @return a bit for each descriptor that is readable, that of the first one being the lowest
     */
    public int await(long nanos) {
        int millis = Math.clamp((nanos + 999_999) / 1_000_000, 0, Integer.MAX_VALUE);
        try {
            int found = (int) POLL.invokeExact(entries, count + 1L, millis);
            if (found <= 0) {
                return 0;
            }
            if (isReadable(count)) {
                long unused = (long) READ.invokeExact(bell, drained, (long) Long.BYTES);
            }
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
        int readable = 0;
        for (int index = 0; index < count; index++) {
            readable |= isReadable(index) ? 1 << index : 0;
        }
        return readable;
    }

    private boolean isReadable(int index) {
        return entries.get(JAVA_SHORT, (long) index * ENTRY_BYTES + FOUND) != 0; // an error is news too
    }

    /** Ends the sleep, or the next one. No effect once this is closed. */
    public synchronized void wakeUp() {
        if (!closed) {
            try {
                long unused = (long) WRITE.invokeExact(bell, one, (long) Long.BYTES);
            } catch (Throwable impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    }

    /** Ends it; nobody may sleep here any more. Idempotent. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            try {
                int unused = (int) CLOSE.invokeExact(bell);
            } catch (Throwable impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    }

    @SuppressWarnings("restricted") // the one purpose of this module
    private static MethodHandle bind(String name, FunctionDescriptor function) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), function);
    }
}
