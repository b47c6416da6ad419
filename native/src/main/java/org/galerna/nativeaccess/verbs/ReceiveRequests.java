package org.galerna.nativeaccess.verbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Receives into fixed pieces of memory, described once and posted again and again; each has its index as its number. */
public final class ReceiveRequests {
    /** {@link #chain}: nothing follows. */
    public static final int END = -1;

    private static final int SGE = VerbsLayout.RECV_BYTES;
    private static final int BYTES = VerbsLayout.RECV_BYTES + VerbsLayout.SGE_BYTES;

    private final MemorySegment memory;
    private final long start;
    private final int count;

    /** Requests that are not described yet. */
    public ReceiveRequests(int count) {
        this.count = count;
        this.memory = Arena.ofAuto().allocate((long) count * BYTES + Long.BYTES, 64);
        this.start = memory.address();
    }

    /** Describes where a receive goes. */
    public void describe(int index, long address, int length, int localKey) {
        long at = (long) index * BYTES;
        memory.set(JAVA_LONG, at + VerbsLayout.RECV_ID, index);
        memory.set(JAVA_LONG, at + VerbsLayout.RECV_NEXT, 0);
        memory.set(JAVA_LONG, at + VerbsLayout.RECV_SGES, start + at + SGE);
        memory.set(JAVA_INT, at + VerbsLayout.RECV_SGE_COUNT, 1);
        memory.set(JAVA_LONG, at + SGE + VerbsLayout.SGE_ADDRESS, address);
        memory.set(JAVA_INT, at + SGE + VerbsLayout.SGE_LENGTH, length);
        memory.set(JAVA_INT, at + SGE + VerbsLayout.SGE_LKEY, localKey);
    }

    /** Says which one is posted together with another, after it; or {@link #END}. */
    public void chain(int index, int next) {
        memory.set(JAVA_LONG, (long) index * BYTES + VerbsLayout.RECV_NEXT, next == END ? 0 : address(next));
    }

    long address(int index) {
        return start + (long) index * BYTES;
    }

    long bad() {
        return start + (long) count * BYTES;
    }
}
