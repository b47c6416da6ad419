package org.galerna.nativeaccess.thread;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.galerna.nativeaccess.call.SystemCall;

/**
 * How long a thread runs on a processor before it is another one's turn, where several want it: {@code
 * sched_setattr(2)}, since Linux 6.12. Shorter slices do not give a thread more of the processor, but give it its share in
 * smaller parts and sooner: what it yields is a slice of its own length, and when it wakes up it need not wait for the end of
 * a longer one. Any thread may call; a virtual thread gets and sets what belongs to its carrier.
 */
public final class Timeslice {
    /** The shortest slice that Linux gives, in nanoseconds; whoever asks for less gets this. */
    public static final long SHORTEST_NANOS = 100_000;

    private static final long CALLER = 0;

    /** Bytes of a {@code struct sched_attr} in its second version. */
    private static final long ATTRIBUTES = 56;

    private static final long POLICY = 4;
    private static final long RUNTIME = 24;

    /** {@code SCHED_OTHER}, how threads are scheduled unless somebody asks for something else. */
    private static final int FAIR = 0;

    private static final Optional<Timeslice> INSTANCE = detect();

    private final SystemCall setAttributes;
    private final SystemCall getAttributes;

    private Timeslice(SystemCall setAttributes, SystemCall getAttributes) {
        this.setAttributes = setAttributes;
        this.getAttributes = getAttributes;
    }

    /** The call; empty where the system has none or native access is not granted. */
    public static Optional<Timeslice> instance() {
        return INSTANCE;
    }

    /**
     * Slice of the calling thread in nanoseconds; 0 if the system does not tell, or if the thread is scheduled in another
     * way than the usual one.
     */
    public long get() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocate(ATTRIBUTES, Long.BYTES);
            return read(attributes) ? attributes.get(JAVA_LONG, RUNTIME) : 0;
        }
    }

    /**
     * Sets the slice of the calling thread. Threads that it starts inherit it.
     *
     * @param nanos at most 100 ms
     * @return false if nothing was changed: {@link #get} is 0, or the system has refused
     */
    public boolean set(long nanos) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocate(ATTRIBUTES, Long.BYTES);
            if (!read(attributes) || attributes.get(JAVA_LONG, RUNTIME) == 0) {
                return false;
            }
            attributes.set(JAVA_LONG, RUNTIME, nanos);
            return setAttributes.call(CALLER, attributes.address(), 0) == 0;
        }
    }

    private boolean read(MemorySegment attributes) {
        return getAttributes.call(CALLER, attributes.address(), ATTRIBUTES, 0) == 0
                && attributes.get(JAVA_INT, POLICY) == FAIR;
    }

    private static Optional<Timeslice> detect() {
        return SystemCall.find(314, 274)
                .flatMap(set -> SystemCall.find(315, 275).map(get -> new Timeslice(set, get)));
    }
}
