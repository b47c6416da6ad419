package org.galerna.memory;

import static org.galerna.memory.RecordRingLayout.DATA_BYTES_OFFSET;
import static org.galerna.memory.RecordRingLayout.INT;
import static org.galerna.memory.RecordRingLayout.LINE_BYTES;
import static org.galerna.memory.RecordRingLayout.MAGIC;
import static org.galerna.memory.RecordRingLayout.MAGIC_OFFSET;
import static org.galerna.memory.RecordRingLayout.SLOTS_OFFSET;
import static org.galerna.memory.RecordRingLayout.SLOTS_START;
import static org.galerna.memory.RecordRingLayout.SLOT_BYTES;

import java.lang.foreign.MemorySegment;

/**
 * A bounded queue of records in a piece of memory outside the heap, which may be private to a thread, shared by
 * threads, or mapped by two processes.
 *
 * <p>A producer claims space, writes the record in place and commits it; the one consumer polls records in the order
 * of their claims. Short records share a cache line with the words that commit them. The geometry and the memory
 * order of every access are those of {@link RecordRingLayout}; a ring on foreign memory never leads an access out of
 * bounds, whatever the other side writes into it.
 *
 * <p>This class only describes the memory. Take one {@link RecordConsumer} and either one {@link SpscProducer} or any
 * number of {@link MpscProducer}s on it.
 */
public final class RecordRing {
    /** Longest record, in bytes, that lies in one cache line with its commit word. */
    public static final int INLINE_BYTES = RecordRingLayout.INLINE_BYTES;

    private static final int MAXIMUM_SLOTS = 1 << 20;
    /** The longest record, half of this, leaves the marks of a commit word free. */
    private static final int MAXIMUM_DATA = 1 << 28;

    final MemorySegment memory;
    final int slots;
    final int slotsShift;
    final int dataUnits;
    final long dataStart;

    private RecordRing(MemorySegment memory, int slots, int dataBytes) {
        this.memory = memory;
        this.slots = slots;
        this.slotsShift = Integer.numberOfTrailingZeros(slots);
        this.dataUnits = dataBytes >>> RecordRingLayout.LINE_SHIFT;
        this.dataStart = SLOTS_START + (long) slots * SLOT_BYTES;
    }

    /**
     * Bytes of memory that a ring needs.
     *
     * @param slots records that fit in at once, if none is longer than 24 bytes, or half of those of up to
     *     {@link #INLINE_BYTES}: a power of two, 4 to 2²⁰
     * @param dataBytes space for records longer than {@link #INLINE_BYTES}: a power of two, 128 to 2²⁸
     */
    public static long bytes(int slots, int dataBytes) {
        checkGeometry(slots, dataBytes);
        return SLOTS_START + (long) slots * SLOT_BYTES + dataBytes;
    }

    /**
     * Lays a new, empty ring out.
     *
     * @param memory zeroed, at least {@link #bytes} long, aligned to 64 bytes (better 128)
     */
    public static RecordRing create(MemorySegment memory, int slots, int dataBytes) {
        checkMemory(memory, bytes(slots, dataBytes));
        memory.set(INT, SLOTS_OFFSET, slots);
        memory.set(INT, DATA_BYTES_OFFSET, dataBytes);
        RecordRingLayout.release(memory, MAGIC_OFFSET, MAGIC);
        return new RecordRing(memory, slots, dataBytes);
    }

    /**
     * A ring that somebody else has laid out.
     *
     * @throws IllegalArgumentException if the memory holds no ring of this version, or one larger than the memory
     */
    public static RecordRing open(MemorySegment memory) {
        checkMemory(memory, SLOTS_START);
        long magic = RecordRingLayout.acquire(memory, MAGIC_OFFSET);
        if (magic != MAGIC) {
            throw new IllegalArgumentException("no record ring of this version: magic is " + Long.toHexString(magic)
                    + ", expected " + Long.toHexString(MAGIC));
        }
        int slots = memory.get(INT, SLOTS_OFFSET);
        int dataBytes = memory.get(INT, DATA_BYTES_OFFSET);
        checkMemory(memory, bytes(slots, dataBytes));
        return new RecordRing(memory, slots, dataBytes);
    }

    /** The memory; payload offsets of claims and records are offsets into it. */
    public MemorySegment memory() {
        return memory;
    }

    /** Longest record that can ever be claimed, in bytes: half the data area. */
    public int maximumRecord() {
        // with half the area, a claim in an empty ring succeeds wherever the wrap happens to be
        return Math.max(INLINE_BYTES, dataUnits * LINE_BYTES / 2);
    }

    private static void checkGeometry(int slots, int dataBytes) {
        if (Integer.bitCount(slots) != 1 || slots < 4 || slots > MAXIMUM_SLOTS) {
            throw new IllegalArgumentException(
                    "slots must be a power of two from 4 to " + MAXIMUM_SLOTS + ", not " + slots);
        }
        if (Integer.bitCount(dataBytes) != 1 || dataBytes < 2 * LINE_BYTES || dataBytes > MAXIMUM_DATA) {
            throw new IllegalArgumentException("data bytes must be a power of two from " + 2 * LINE_BYTES + " to "
                    + MAXIMUM_DATA + ", not " + dataBytes);
        }
    }

    private static void checkMemory(MemorySegment memory, long bytes) {
        if (memory.byteSize() < bytes) {
            throw new IllegalArgumentException(
                    "a ring of this size needs " + bytes + " bytes, not " + memory.byteSize());
        }
        if (!memory.isNative() || memory.address() % LINE_BYTES != 0) {
            throw new IllegalArgumentException(
                    "a ring needs memory outside the heap, aligned to " + LINE_BYTES + " bytes");
        }
    }
}
