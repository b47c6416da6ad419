package org.galerna.nativeaccess.file;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.galerna.nativeaccess.call.CFunction;

/**
 * Sleeping until one of many descriptors is ready: Linux' {@code epoll(7)}. One thread at a time adds, changes and sleeps;
 * any thread may remove. The owner sees to it that nobody calls anything when it is closed.
 */
public final class Epoll implements AutoCloseable {
    /** Event: bytes can be read, or a connection be accepted. */
    public static final int READABLE = 1;

    /** Event: bytes can be written, or connecting has ended. */
    public static final int WRITABLE = 4;

    /** Event, wanted or not: something is broken, or both directions have ended. */
    public static final int BROKEN = 8 | 16;

    /** Wish: tell every change once, and not as long as the state lasts. */
    public static final int ON_CHANGE = 1 << 31;

    /** Wish: tell one event, and then none until it is changed. */
    public static final int ONCE = 1 << 30;

    private static final int CLOSE_ON_EXEC = 0x80000;
    private static final int ADD = 1;
    private static final int REMOVE = 2;
    private static final int MODIFY = 3;
    private static final int EINTR = 4;

    /** {@code struct epoll_event}: packed on x86-64 only. */
    private static final boolean PACKED = System.getProperty("os.arch", "").equals("amd64");

    private static final int DATA = PACKED ? 4 : 8;
    private static final int EVENT_BYTES = DATA + Long.BYTES;

    private static final CFunction CREATE = CFunction.of("epoll_create1");
    private static final CFunction CONTROL = CFunction.of("epoll_ctl");
    private static final CFunction WAIT = CFunction.of("epoll_wait");
    private static final CFunction CLOSE = CFunction.of("close");

    private final Arena arena = Arena.ofAuto();
    private final MemorySegment state = CFunction.state(arena);
    private final MemorySegment wish = arena.allocate(EVENT_BYTES, Long.BYTES);
    private final MemorySegment found;
    private final int most;
    private final int descriptor;

    /**
     * A new one.
     *
     * @param most events that one call of {@link #await} tells
     * @throws SystemCallException if no descriptor is left
     */
    public Epoll(int most) throws SystemCallException {
        this.most = most;
        this.found = arena.allocate((long) most * EVENT_BYTES, Long.BYTES);
        this.descriptor = (int) check(CREATE.call(state, CLOSE_ON_EXEC), "cannot make an epoll instance");
    }

    /** The descriptor of this, which is readable while events are there. */
    public int descriptor() {
        return descriptor;
    }

    /**
     * Waits for events of one more descriptor.
     *
     * @param events wanted, or'ed
     * @param data told with each of its events
     * @throws SystemCallException if the descriptor cannot be waited for, or is there already
     */
    public void add(int other, int events, long data) throws SystemCallException {
        control(ADD, other, events, data);
    }

    /** Changes what was {@linkplain #add added}. */
    public void modify(int other, int events, long data) throws SystemCallException {
        control(MODIFY, other, events, data);
    }

    private void control(int operation, int other, int events, long data) throws SystemCallException {
        wish.set(JAVA_INT, 0, events);
        wish.set(JAVA_LONG_UNALIGNED, DATA, data);
        check(CONTROL.call(state, descriptor, operation, other, wish.address()), "cannot wait for a descriptor");
    }

    /** Waits for a descriptor no more; no effect if nobody does. */
    public void remove(int other) {
        CONTROL.call(CFunction.IGNORED, descriptor, REMOVE, other, 0);
    }

    /**
     * Sleeps until there are events, the time is over, or a signal comes. Blocks the thread in native code: a virtual
     * thread would hold its carrier.
     *
     * @param millis longest time to sleep, in milliseconds; 0 for none, negative for any
     * @return number of events, which {@link #events} and {@link #data} tell until the next call
     * @throws SystemCallException if this is closed
     */
    public int await(int millis) throws SystemCallException {
        int count = (int) WAIT.call(state, descriptor, found.address(), most, millis);
        if (count < 0 && CFunction.errno(state) == EINTR) {
            return 0;
        }
        return (int) check(count, "cannot wait for events");
    }

    /** What has happened, or'ed. */
    public int events(int index) {
        return found.get(JAVA_INT, (long) index * EVENT_BYTES);
    }

    /** The number given with the descriptor that it has happened to. */
    public long data(int index) {
        return found.get(JAVA_LONG_UNALIGNED, (long) index * EVENT_BYTES + DATA);
    }

    private long check(long result, String what) throws SystemCallException {
        if ((int) result < 0) {
            int errno = CFunction.errno(state);
            throw new SystemCallException(what, errno, CFunction.describe(errno));
        }
        return result;
    }

    /** Closes it; once only. */
    @Override
    public void close() {
        CLOSE.call(CFunction.IGNORED, descriptor);
    }
}
