package org.galerna.memory;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * What lies where in the memory of a {@link RecordRing}.
 *
 * <pre>
 *    0  +--------------------------------------------------------------+
 *       | magic, version (8) | slots (4) | data bytes (4) |  unused    |  written once, before the ring is shared
 *  128  +--------------------------------------------------------------+
 *       | tail: data position (32) . slot position (31)                |  producers (MPSC only)
 *  256  +--------------------------------------------------------------+
 *       | head: data position (32) . slot position (31)                |  consumer
 *  384  +--------------------------------------------------------------+
 *       | slot 0 | slot 1 | ...      one cache line of 64 bytes each   |
 *       +--------------------------------------------------------------+
 *       | data area                                                    |
 *       +--------------------------------------------------------------+
 *
 *  slot, record of at most 56 bytes       slot, longer record
 *    0  commit word (8)                     0  commit word (8)
 *    8  the record                          8  data position (4), data units claimed (4)
 *
 *  commit word:  63      62     61     32 31            0
 *               | aborted | data | length | turn          |
 * </pre>
 *
 * <p>Positions count for ever: slot positions modulo 2³¹, data positions in units of 64 bytes modulo 2³². The
 * <em>turn</em> of a position is the number of times that the ring has gone round before it, plus one. A slot is
 * committed for a position if and only if its commit word holds that position's turn; whatever an earlier round left
 * there has another turn. So nothing is ever cleared, and the consumer never writes to a line that carries records.
 * Long records lie in a second area, and not in the slots that follow, because a slot must hold nothing but commit
 * words at its beginning: inside a record any bytes can stand, also some that look like a commit word.
 *
 * <table>
 * <caption>Who does what, in which memory order</caption>
 * <tr><th>field</th><th>producer</th><th>consumer</th></tr>
 * <tr><td>tail</td><td>SPSC: in the producer object, not here. MPSC: compare-and-set (volatile)</td><td>opaque read, for
 * recovery only</td></tr>
 * <tr><td>record, data position, units</td><td>plain write after the claim, before the commit</td><td>plain read after
 * the commit word</td></tr>
 * <tr><td>commit word</td><td>release write</td><td>acquire read</td></tr>
 * <tr><td>head</td><td>acquire read, when the remembered one leaves no room</td><td>release write, in batches, after the
 * last read of the records it gives back</td></tr>
 * </table>
 */
final class RecordRingLayout {
    static final long MAGIC = 0x47414c52_00000001L;

    static final long MAGIC_OFFSET = 0;
    static final long SLOTS_OFFSET = 8;
    static final long DATA_BYTES_OFFSET = 12;
    static final long TAIL_OFFSET = 128;
    static final long HEAD_OFFSET = 256;
    static final long SLOTS_START = 384;

    /** Bytes of a slot, and of the unit in which the data area is given out: a cache line. */
    static final int SLOT_BYTES = 64;

    static final int SLOT_SHIFT = 6;
    static final int RECORD_IN_SLOT = 8;
    static final int DATA_POSITION_IN_SLOT = 8;
    static final int DATA_UNITS_IN_SLOT = 12;

    /** Longest record that lies in its slot. */
    static final int INLINE_BYTES = SLOT_BYTES - RECORD_IN_SLOT;

    /** Bit of the upper half of a commit word: the claim was given up, the consumer skips it. */
    static final int ABORTED = 0x80000000;

    /** Bit of the upper half of a commit word: the record lies in the data area. */
    static final int IN_DATA = 0x40000000;

    static final int POSITION_MASK = 0x7fffffff;

    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(LITTLE_ENDIAN);
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(LITTLE_ENDIAN);
    private static final VarHandle LONGS = LONG.varHandle().withInvokeExactBehavior();

    private RecordRingLayout() {}

    static long commitWord(int turn, int lengthAndMarks) {
        return ((long) lengthAndMarks << 32) | (turn & 0xffffffffL);
    }

    static int turn(int slotPosition, int slotsShift) {
        return (slotPosition >>> slotsShift) + 1;
    }

    static long cursor(int dataPosition, int slotPosition) {
        return ((long) dataPosition << 32) | slotPosition;
    }

    static int slotPosition(long cursor) {
        return (int) cursor & POSITION_MASK;
    }

    static int dataPosition(long cursor) {
        return (int) (cursor >>> 32);
    }

    static int units(int length) {
        return (length + SLOT_BYTES - 1) >>> SLOT_SHIFT;
    }

    static long acquire(MemorySegment memory, long offset) {
        return (long) LONGS.getAcquire(memory, offset);
    }

    static long opaque(MemorySegment memory, long offset) {
        return (long) LONGS.getOpaque(memory, offset);
    }

    static void release(MemorySegment memory, long offset, long value) {
        LONGS.setRelease(memory, offset, value);
    }

    static boolean compareAndSet(MemorySegment memory, long offset, long expected, long value) {
        return LONGS.compareAndSet(memory, offset, expected, value);
    }
}
