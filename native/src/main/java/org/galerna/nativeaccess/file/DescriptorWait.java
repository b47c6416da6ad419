package org.galerna.nativeaccess.file;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.galerna.nativeaccess.call.CFunction;

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

    private static final CFunction POLL = CFunction.of("poll");
    private static final CFunction EVENTFD = CFunction.of("eventfd");
    private static final CFunction READ = CFunction.of("read");
    private static final CFunction WRITE = CFunction.of("write");
    private static final CFunction CLOSE = CFunction.of("close");

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
        int descriptor = (int) EVENTFD.call(CFunction.IGNORED, 0, CLOSE_ON_EXEC_DO_NOT_BLOCK);
        if (descriptor < 0) {
            throw new IllegalStateException("no file descriptor is left (ulimit -n)");
        }
        return descriptor;
    }

    /**
     * Sleeps until a descriptor is readable, somebody wakes this, or the time is over; may return early for no reason.
     *
     * @param nanos longest time to sleep, in nanoseconds; rounded up to milliseconds
     * @return a bit for each descriptor that is readable, that of the first one being the lowest
     */
    public int await(long nanos) {
        int millis = Math.clamp((nanos + 999_999) / 1_000_000, 0, Integer.MAX_VALUE);
        int found = (int) POLL.call(CFunction.IGNORED, entries.address(), count + 1L, millis);
        if (found <= 0) {
            return 0;
        }
        if (isReadable(count)) {
            READ.call(CFunction.IGNORED, bell, drained.address(), Long.BYTES);
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
            WRITE.call(CFunction.IGNORED, bell, one.address(), Long.BYTES);
        }
    }

    /** Ends it; nobody may sleep here any more. Idempotent. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            CLOSE.call(CFunction.IGNORED, bell);
        }
    }
}
