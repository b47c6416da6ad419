package org.galerna.nativeaccess.thread;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.galerna.nativeaccess.call.SystemCall;

/**
 * Linux' {@code futex(2)} on memory that several processes have mapped: sleep while a word of 32 bits has an expected
 * value, and wake those who sleep.
 */
public final class Futex {
    private static final long WAIT = 0;
    private static final long WAKE = 1;
    private static final long TIME_BYTES = 16;
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private static final Optional<Futex> INSTANCE = SystemCall.find(202, 98).map(Futex::new);

    private final SystemCall call;

    private Futex(SystemCall call) {
        this.call = call;
    }

    /** The call; empty where the system has none or native access is not granted. */
    public static Optional<Futex> instance() {
        return INSTANCE;
    }

    /**
     * Sleeps while the word has the expected value, until it is woken or the time is over; may return early for no
     * reason. Blocks the thread in native code: a virtual thread would hold its carrier.
     *
     * @param word memory that holds the word at {@code offset}, a multiple of 4; must stay mapped
     * @param nanos longest time to sleep, in nanoseconds
     */
    public void await(MemorySegment word, long offset, int expected, long nanos) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment time = arena.allocate(TIME_BYTES, 8);
            time.set(JAVA_LONG, 0, nanos / NANOS_PER_SECOND);
            time.set(JAVA_LONG, 8, nanos % NANOS_PER_SECOND);
            call(word.address() + offset, WAIT, expected & 0xffffffffL, time.address());
        }
    }

    /** As {@link #await(MemorySegment, long, int, long)} without a limit, which spares the system a timer. */
    public void await(MemorySegment word, long offset, int expected) {
        call(word.address() + offset, WAIT, expected & 0xffffffffL, 0);
    }

    /** Wakes all who sleep on the word, in every process. */
    public void wakeAll(MemorySegment word, long offset) {
        call(word.address() + offset, WAKE, Integer.MAX_VALUE, 0);
    }

    private void call(long address, long operation, long value, long time) {
        call.call(address, operation, value, time);
    }
}
