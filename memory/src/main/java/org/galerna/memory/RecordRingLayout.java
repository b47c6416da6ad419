package org.galerna.memory;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.galerna.nativeaccess.memory.RawMemory;

/**
 * What lies where in the memory of a {@link RecordRing}.
 *
 * <pre>
 *    0  +--------------------------------------------------------------+
 *       | magic, version (8) | slots (4) | data bytes (4) |  unused    |  written once, before the ring is shared
 *  128  +--------------------------------------------------------------+
 *       | tail: data position (32) . slot position (31)                |  producers (MPSC only)
 *  192  +--------------------------------------------------------------+
 *       | open place: data position (32) . slot position (31)          |  producer (SPSC only)
 *       | open length: bytes shown (32) . slot position (31)           |
 *  256  +--------------------------------------------------------------+
 *       | head: data position (32) . slot position (31)                |  consumer
 *  384  +--------------------------------------------------------------+
 *       | line 0 | line 1 | ...      one cache line of 64 bytes each   |
 *       +--------------------------------------------------------------+
 *       | data area                                                    |
 *       +--------------------------------------------------------------+
 *
 *  a line is two slots            with narrow records     with a wide record
 *    0  word of the even slot (8)   word                    word
 *    8                              record (24)             record (48)
 *   32                              record (24)
 *   56  word of the odd slot (8)    word                    (unused)
 *
 *  slot of a longer record:  data position (4), data units claimed (4), head (8) in the place of the record
 *
 *  longer record with a head:  64 bytes, of which the first word says whether the contents are there; then the contents
 *
 *  commit word:  63        62     61     60     59     32 31            0
 *               | aborted | data | wide | head | length   | turn          |
 * </pre>
 *
 * <p>Positions count for ever: slot positions modulo 2³¹, data positions in units of 64 bytes modulo 2³². The
 * <em>turn</em> of a position is the number of times that the ring has gone round before it, plus one. A slot is
 * committed for a position if and only if its commit word holds that position's turn; whatever an earlier round left
 * there has another turn. So nothing is ever cleared, and the consumer never writes to a line that carries records.
 *
 * <p>A record never lies where a commit word can be: inside a record any bytes can stand, also some that look like a
 * commit word. That is why the words are at the two ends of a line, with one stretch of 48 bytes between them, and why
 * longer records lie in a second area. A wide record takes both slots of a line; if the next slot is an odd one, that
 * one is aborted. Two short messages to a line halve what cores have to pass to each other. But where messages go to and
 * fro, a producer that waits takes the line of its next record out of the consumer's cache, and would share it with the
 * record that is just being read: so it gives that next one a line of its own, be it short, or long and in its slot only the
 * place.
 *
 * <p>A longer record can be read before it is committed: its producer shows again and again how much of it is there, in
 * words of its own, and the consumer looks at them when nothing is committed for its position. Both words name the
 * position that they are of. So a reader that finds the length of its position, and then the place of the same, has
 * both of one record: the place was written before the length, and is replaced only after a commit.
 *
 * <p>The other way to read a record before it is whole is its head: the slot of a longer record is committed with a head
 * of 8 bytes, and its contents follow. Their consumer finds out meanwhile whom they are for, while the producer copies.
 * The word that says that they are there has a line of its own in front of them: the producer clears it before it commits
 * the slot, so whatever an earlier record left there cannot be taken for it, and the consumer's look at it does not take
 * away a line that the producer is writing contents to.
 *
 * <table>
 * <caption>Who does what, in which memory order</caption>
 * <tr><th>field</th><th>producer</th><th>consumer</th></tr>
 * <tr><td>tail</td><td>SPSC: in the producer object, not here. MPSC: compare-and-set (volatile)</td><td>acquire read, to
 * find where claims end</td></tr>
 * <tr><td>record, data position, units</td><td>plain write after the claim, before the commit</td><td>plain read after
 * the commit word</td></tr>
 * <tr><td>commit word</td><td>release write</td><td>acquire read</td></tr>
 * <tr><td>head; the word in front of the contents, cleared</td><td>plain write before the commit word</td><td>plain read
 * after the commit word</td></tr>
 * <tr><td>that word, set</td><td>release write after the contents</td><td>acquire read, after the commit word</td></tr>
 * <tr><td>open place</td><td>plain write, before the open length</td><td>plain read after the open length, of no worth
 * if it names another position</td></tr>
 * <tr><td>open length</td><td>release write, after what it shows</td><td>acquire read</td></tr>
 * <tr><td>head</td><td>acquire read, when the remembered one leaves no room</td><td>release write, in batches, after the
 * last read of the records it gives back</td></tr>
 * </table>
 */
final class RecordRingLayout {
    static final long MAGIC = 0x47414c52_00000005L;

    static final long MAGIC_OFFSET = 0;
    static final long SLOTS_OFFSET = 8;
    static final long DATA_BYTES_OFFSET = 12;
    static final long TAIL_OFFSET = 128;
    static final long OPEN_PLACE_OFFSET = 192;
    static final long OPEN_LENGTH_OFFSET = 200;
    static final long HEAD_OFFSET = 256;
    static final long SLOTS_START = 384;

    /** Bytes of a cache line, which is also the unit in which the data area is given out. */
    static final int LINE_BYTES = 64;

    static final int LINE_SHIFT = 6;

    /** Bytes of a slot: half a line. */
    static final int SLOT_BYTES = 32;

    private static final int SLOT_SHIFT = 5;
    private static final int WORD_BYTES = 8;

    /** Longest record that lies in one slot. */
    static final int NARROW_BYTES = SLOT_BYTES - WORD_BYTES;

    /** Longest record that lies in the two slots of a line. */
    static final int INLINE_BYTES = LINE_BYTES - 2 * WORD_BYTES;

    /** Bit of a claim's offset: the record is wide. */
    static final int WIDE_CLAIM = 1;

    /** The bits of a claim that are the offset of the record. */
    static final int OFFSET_MASK = ~7;

    /** Bit of the upper half of a commit word: the claim was given up, the consumer skips it. */
    static final int ABORTED = 0x80000000;

    /** Bit of the upper half of a commit word: the record lies in the data area. */
    static final int IN_DATA = 0x40000000;

    /** Bit of the upper half of a commit word: the record takes both slots of a line. */
    static final int WIDE = 0x20000000;

    /** Bit of the upper half of a commit word, if the record lies in the data area: it has a head, its contents may follow. */
    static final int WITH_HEAD = 0x10000000;

    static final int POSITION_MASK = 0x7fffffff;

    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(LITTLE_ENDIAN);
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(LITTLE_ENDIAN);
    private static final VarHandle LONGS = LONG.varHandle().withInvokeExactBehavior();

    private RecordRingLayout() {}

    static long commitWord(int turn, int lengthAndMarks) {
        return ((long) lengthAndMarks << 32) | (turn & 0xffffffffL);
    }

    /** What a commit word says of the record besides its length. */
    static int marks(long claim, int dataStart) {
        int wide = (claim & WIDE_CLAIM) != 0 ? WIDE : 0;
        return ((int) claim & OFFSET_MASK) >= dataStart ? IN_DATA | wide : wide;
    }

    /** Offset of the commit word of a slot: the first word of an even slot, the last of an odd one. */
    static long word(int slot) {
        int inSlots = (slot << SLOT_SHIFT) + (slot & 1) * NARROW_BYTES;
        return SLOTS_START + inSlots;
    }

    /** Offset of the record of a slot. */
    static long record(int slot) {
        int inSlots = (slot << SLOT_SHIFT) + WORD_BYTES - (slot & 1) * WORD_BYTES;
        return SLOTS_START + inSlots;
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

    /** Bytes shown of the record of a slot position. */
    static long shown(int length, int slotPosition) {
        return cursor(length, slotPosition);
    }

    static int shownLength(long shown) {
        return (int) (shown >>> 32);
    }

    static int units(int length) {
        return (length + LINE_BYTES - 1) >>> LINE_SHIFT;
    }

    /** What a slot says in place of a longer record. */
    static long data(int position, int units) {
        return ((long) units << 32) | (position & 0xffffffffL);
    }

    /** What the word in front of contents says when they are there; 0 before. */
    private static final long CONTENTS_THERE = 1;

    /** Offset of a record's head from its slot's record. */
    static final int HEAD_IN_RECORD = 8;

    static int dataStart(long data) {
        return (int) data;
    }

    static int dataUnits(long data) {
        return (int) (data >>> 32);
    }

    /** Writes the head of a record of this slot, whose contents are not there yet; before the slot is committed. */
    static void writeHead(MemorySegment memory, long record, long head, long contents) {
        RawMemory.setLong(memory, record + HEAD_IN_RECORD, head);
        RawMemory.setLong(memory, contents, 0); // whatever an earlier record has left there
    }

    static void showContents(MemorySegment memory, long claim) {
        // release: the contents are written before the word that shows them
        release(memory, RecordProducer.offset(claim), CONTENTS_THERE);
    }

    static long acquire(MemorySegment memory, long offset) {
        return RawMemory.getLongAcquire(memory, offset);
    }

    static void release(MemorySegment memory, long offset, long value) {
        RawMemory.setLongRelease(memory, offset, value);
    }

    static boolean compareAndSet(MemorySegment memory, long offset, long expected, long value) {
        return LONGS.compareAndSet(memory, offset, expected, value);
    }
}
