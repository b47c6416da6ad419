package org.galerna.nativeaccess.memory;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;

/**
 * Memory that is read and written with every message, without the checks of {@link MemorySegment}.
 *
 * <p>An access of a segment looks up its kind, size, address and scope, and the scope's state: some 28 instructions with
 * seven loads that depend on each other, for one that is the access itself. Here all accesses to memory outside the heap go
 * through one segment of all memory that there is, whose properties are constants to the compiler; what is left are the
 * kind, the address and the alignment. It is for the caller to know that the offset lies in the memory, and that this lives
 * as long as it is reachable, as that of {@link java.lang.foreign.Arena#ofAuto} does. Memory in the heap, or any where this
 * module has no native access, is accessed with all checks.
 *
 * <p>All values are little-endian. Any thread may call.
 */
public final class RawMemory {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(LITTLE_ENDIAN);
    private static final ValueLayout.OfLong ANY_LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(LITTLE_ENDIAN);
    private static final VarHandle LONGS = LONG.varHandle().withInvokeExactBehavior();
    private static final VarHandle INTS = INT.varHandle().withInvokeExactBehavior();

    private static final boolean ALLOWED = RawMemory.class.getModule().isNativeAccessEnabled();

    /** All memory outside the heap, by its addresses; empty where this module has no native access. */
    public static final MemorySegment ALL = all();

    private RawMemory() {}

    @SuppressWarnings("restricted") // the one purpose of this module
    private static MemorySegment all() {
        return ALLOWED ? MemorySegment.NULL.reinterpret(Long.MAX_VALUE) : MemorySegment.NULL;
    }

    /** Whether this memory can be reached through {@link #ALL}. */
    public static boolean reaches(MemorySegment memory) {
        return ALLOWED && memory.isNative();
    }

    private static boolean isChecked(MemorySegment memory) {
        return !reaches(memory);
    }

    /** Reads 8 bytes, with the effects of {@link VarHandle#getAcquire}. */
    public static long getLongAcquire(MemorySegment memory, long offset) {
        if (isChecked(memory)) {
            return (long) LONGS.getAcquire(memory, offset);
        }
        try {
            return (long) LONGS.getAcquire(ALL, memory.address() + offset);
        } finally {
            Reference.reachabilityFence(memory);
        }
    }

    /** Writes 8 bytes, with the effects of {@link VarHandle#setRelease}. */
    public static void setLongRelease(MemorySegment memory, long offset, long value) {
        if (isChecked(memory)) {
            LONGS.setRelease(memory, offset, value);
            return;
        }
        try {
            LONGS.setRelease(ALL, memory.address() + offset, value);
        } finally {
            Reference.reachabilityFence(memory);
        }
    }

    /** Reads 4 bytes, with the effects of {@link VarHandle#getAcquire}. */
    public static int getIntAcquire(MemorySegment memory, long offset) {
        if (isChecked(memory)) {
            return (int) INTS.getAcquire(memory, offset);
        }
        try {
            return (int) INTS.getAcquire(ALL, memory.address() + offset);
        } finally {
            Reference.reachabilityFence(memory);
        }
    }

    /** Reads 4 bytes, with the effects of {@link VarHandle#getOpaque}. */
    public static int getIntOpaque(MemorySegment memory, long offset) {
        if (isChecked(memory)) {
            return (int) INTS.getOpaque(memory, offset);
        }
        try {
            return (int) INTS.getOpaque(ALL, memory.address() + offset);
        } finally {
            Reference.reachabilityFence(memory);
        }
    }

    /** Reads 8 bytes, at any alignment. */
    public static long getLong(MemorySegment memory, long offset) {
        if (isChecked(memory)) {
            return memory.get(ANY_LONG, offset);
        }
        try {
            return ALL.get(ANY_LONG, memory.address() + offset);
        } finally {
            Reference.reachabilityFence(memory);
        }
    }

    /** Writes 8 bytes, at any alignment. */
    public static void setLong(MemorySegment memory, long offset, long value) {
        if (isChecked(memory)) {
            memory.set(ANY_LONG, offset, value);
            return;
        }
        try {
            ALL.set(ANY_LONG, memory.address() + offset, value);
        } finally {
            Reference.reachabilityFence(memory);
        }
    }

    /**
     * Adds to 8 bytes that no other thread writes meanwhile: with the effects of {@link VarHandle#setOpaque}, so that others
     * read them as a whole.
     */
    public static void addLong(MemorySegment memory, long offset, long by) {
        if (isChecked(memory)) {
            LONGS.setOpaque(memory, offset, (long) LONGS.get(memory, offset) + by);
            return;
        }
        try {
            long at = memory.address() + offset;
            LONGS.setOpaque(ALL, at, (long) LONGS.get(ALL, at) + by);
        } finally {
            Reference.reachabilityFence(memory);
        }
    }

    /**
     * As {@link #addLong(MemorySegment, long, long)}, at an address that {@link #ALL} reaches, of memory that the caller keeps
     * alive.
     *
     * @return the sum
     */
    public static long addLong(long address, long by) {
        long sum = (long) LONGS.get(ALL, address) + by;
        LONGS.setOpaque(ALL, address, sum);
        return sum;
    }
}
