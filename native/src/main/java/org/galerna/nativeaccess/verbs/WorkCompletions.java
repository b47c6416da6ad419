package org.galerna.nativeaccess.verbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.galerna.nativeaccess.call.ByteOrders;

/** Room for completions that {@link CompletionQueue#poll} takes, and a view of them. One thread's at a time. */
public final class WorkCompletions {
    /** {@link #status}: all is well. */
    public static final int SUCCESS = 0;

    /** {@link #status}: the request was thrown away, because its queue pair had failed before. */
    public static final int FLUSHED = VerbsLayout.WC_STATUS_FLUSHED;

    private final MemorySegment memory;
    private final long address;
    private final int capacity;

    /** Room for so many. */
    public WorkCompletions(int capacity) {
        this.memory = Arena.ofAuto().allocate((long) capacity * VerbsLayout.WC_BYTES, 64);
        this.address = memory.address();
        this.capacity = capacity;
    }

    int capacity() {
        return capacity;
    }

    long address() {
        return address;
    }

    private int field(int index, int offset) {
        return memory.get(JAVA_INT, (long) index * VerbsLayout.WC_BYTES + offset);
    }

    /** The number that the request was given. */
    public long id(int index) {
        return memory.get(JAVA_LONG, (long) index * VerbsLayout.WC_BYTES + VerbsLayout.WC_ID);
    }

    /** How it went: {@code enum ibv_wc_status}. */
    public int status(int index) {
        return field(index, VerbsLayout.WC_STATUS);
    }

    /** The driver's own number for what went wrong. */
    public int vendorError(int index) {
        return field(index, VerbsLayout.WC_VENDOR_ERROR);
    }

    /** Bytes received. */
    public int length(int index) {
        return field(index, VerbsLayout.WC_LENGTH);
    }

    /** Whether an immediate word has come with it. */
    public boolean hasImmediate(int index) {
        return (field(index, VerbsLayout.WC_FLAGS) & VerbsLayout.WC_WITH_IMMEDIATE) != 0;
    }

    /** The immediate word, as the sender has given it. */
    public int immediate(int index) {
        return ByteOrders.network(field(index, VerbsLayout.WC_IMMEDIATE));
    }

    /** Number of the queue pair of this side. */
    public int queuePair(int index) {
        return field(index, VerbsLayout.WC_QP);
    }
}
