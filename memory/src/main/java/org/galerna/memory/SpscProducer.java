package org.galerna.memory;

import static org.galerna.memory.RecordRingLayout.ABORTED;
import static org.galerna.memory.RecordRingLayout.HEAD_OFFSET;
import static org.galerna.memory.RecordRingLayout.INLINE_BYTES;
import static org.galerna.memory.RecordRingLayout.IN_DATA;
import static org.galerna.memory.RecordRingLayout.LINE_SHIFT;
import static org.galerna.memory.RecordRingLayout.LONG;
import static org.galerna.memory.RecordRingLayout.NARROW_BYTES;
import static org.galerna.memory.RecordRingLayout.OPEN_LENGTH_OFFSET;
import static org.galerna.memory.RecordRingLayout.OPEN_PLACE_OFFSET;
import static org.galerna.memory.RecordRingLayout.POSITION_MASK;
import static org.galerna.memory.RecordRingLayout.WIDE;
import static org.galerna.memory.RecordRingLayout.WIDE_CLAIM;
import static org.galerna.memory.RecordRingLayout.WITH_HEAD;

import java.lang.foreign.MemorySegment;
import org.galerna.nativeaccess.memory.RawMemory;

/**
 * The only producer of a {@link RecordRing}. One thread at a time, with a happens-before edge between one thread's use
 * and the next one's. Claims are committed in the order in which they were made. No call blocks or allocates.
 */
public final class SpscProducer extends SpscProducerFields implements RecordProducer {
    static {
        EarlyClasses.initialize(DataArea.class);
    }

    /** Longest record that is {@linkplain #prepare prepared}, in units: 8 KiB and a header. */
    private static final int PREPARED_UNITS = 130;

    /** Units between a longer record and a prepared one behind it: 1 KiB was too little, 1.5 KiB enough. */
    private static final int GAP_UNITS = 32;

    /** Data areas that are smaller, in units, have no room for gaps. */
    private static final int LEAST_UNITS_FOR_GAPS = 16 * GAP_UNITS;

    // keeps the next object on the heap off the lines of the fields that change with every record
    @SuppressWarnings("unused")
    private long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15;

    /** The producer of a new ring. */
    public SpscProducer(RecordRing ring) {
        super(ring);
    }

    @Override
    public long claim(int length) {
        int position = slotPosition;
        if (length > NARROW_BYTES || position == preparedSlot) {
            return length > INLINE_BYTES ? claimData(position, length) : claimWide(position);
        }
        if (!hasRoom(position, 1)) {
            return BACK_PRESSURE;
        }
        slotPosition = (position + 1) & POSITION_MASK;
        return ((long) position << 32) | RecordRingLayout.record(position & (slots - 1));
    }

    private boolean hasRoom(int position, int needed) {
        if (((position - headSlot) & POSITION_MASK) + needed <= slots) {
            return true;
        }
        refreshHead();
        return ((position - headSlot) & POSITION_MASK) + needed <= slots;
    }

    private void refreshHead() {
        // acquire: the consumer has read everything below its head before it published it
        long head = RecordRingLayout.acquire(memory, HEAD_OFFSET);
        headSlot = RecordRingLayout.slotPosition(head);
        headData = RecordRingLayout.dataPosition(head);
    }

    private long claimWide(int next) {
        int skipped = next & 1;
        if (!hasRoom(next, skipped + 2)) {
            return BACK_PRESSURE;
        }
        if (skipped > 0) {
            commitWord(next, ABORTED);
        }
        int position = (next + skipped) & POSITION_MASK;
        slotPosition = (position + 2) & POSITION_MASK;
        return ((long) position << 32) | RecordRingLayout.record(position & (slots - 1)) | WIDE_CLAIM;
    }

    private long claimData(int position, int length) {
        if (length > maximumRecord) {
            return TOO_LONG;
        }
        int units = RecordRingLayout.units(length);
        int start = startOf(units);
        if (!hasRoom(position, 1) || !hasRoomForData(start, units)) {
            return BACK_PRESSURE;
        }
        int wide = takeData(position, start, units);
        unwrittenUnits = units;
        return ((long) position << 32) | place(start) | wide;
    }

    /** Where the next longer record begins. */
    private int startOf(int units) {
        return units == preparedUnits ? preparedStart : DataArea.start(dataPosition, units, dataUnits);
    }

    private boolean hasRoomForData(int start, int units) {
        if (DataArea.fits(start, units, headData, dataUnits)) {
            return true;
        }
        refreshHead();
        return DataArea.fits(start, units, headData, dataUnits);
    }

    /** Claims a slot, and space that is there. Returns {@link RecordRingLayout#WIDE_CLAIM} if the record takes the slot's line. */
    private int takeData(int position, int start, int units) {
        if (unwrittenUnits > 0) { // the last claim is not committed yet
            writePlace();
        }
        int wide = position == preparedSlot ? WIDE_CLAIM : 0;
        int next = (position + 1 + wide) & POSITION_MASK;
        slotPosition = next;
        dataPosition = start + units;
        longSlot = position;
        longStart = start;
        longEnd = next;
        preparedUnits = 0;
        return wide;
    }

    /** Offset of units of the data area. */
    private long place(int start) {
        return dataStart + ((long) (start & (dataUnits - 1)) << LINE_SHIFT);
    }

    /**
     * Says in its slot where the longer record claimed last lies. Not before the commit, if nothing else comes between:
     * the consumer looks at the line of that slot again and again, and a line written twice travels twice.
     */
    private void writePlace() {
        long place = RecordRingLayout.record(longSlot & (slots - 1));
        RawMemory.setLong(memory, place, RecordRingLayout.data(longStart, unwrittenUnits));
        unwrittenUnits = 0;
    }

    /**
     * Shows the first bytes of a record to a consumer that {@linkplain RecordConsumer#pollOpen has nothing else to read}.
     * The rest may still be written, and more be shown; the commit ends it.
     *
     * @param claim the last one made, of more than {@link RecordRing#INLINE_BYTES} bytes, not yet committed
     * @param length bytes written so far: no fewer than shown before, and at most as many as claimed
     */
    public void show(long claim, int length) {
        int position = (int) (claim >>> 32);
        memory.set(LONG, OPEN_PLACE_OFFSET, RecordRingLayout.cursor(longStart, position));
        // release: the bytes and the place are written before the word that shows them
        RecordRingLayout.release(memory, OPEN_LENGTH_OFFSET, RecordRingLayout.shown(length, position));
    }

    /**
     * Takes the lines of the next record, should it be as long as the last one, out of the consumer's cache. For a producer
     * that has to wait anyway: afterwards it writes that record without waiting for lines.
     */
    public void prepare() {
        int position = slotPosition;
        if ((position & 1) == 0 && position != preparedSlot && hasRoom(position, 2)) {
            preparedSlot = position;
            // as free as the slots of a claim: behind all claims, and before a head that was read with acquire
            RawMemory.setLong(memory, RecordRingLayout.record(position & (slots - 1)), 0);
            if (position == longEnd) {
                prepareData(dataPosition - longStart);
            }
        }
    }

    private void prepareData(int units) {
        // the reader's core fetches lines behind those that it reads, and would take them away again
        int apart = dataUnits < LEAST_UNITS_FOR_GAPS ? 0 : GAP_UNITS;
        int start = DataArea.start(dataPosition + apart, units, dataUnits);
        if (units > PREPARED_UNITS || !DataArea.fits(start, units, headData, dataUnits)) {
            return;
        }
        preparedUnits = units;
        preparedStart = start;
        long line = place(start); // as free as those of a claim, too
        for (int unit = 0; unit < units; unit++) {
            RawMemory.setLong(memory, line + ((long) unit << LINE_SHIFT), 0);
        }
    }

    @Override
    public void commit(long claim, int length) {
        int position = (int) (claim >>> 32);
        if (unwrittenUnits > 0 && longSlot == position) {
            writePlace();
        }
        commitWord(position, length | RecordRingLayout.marks(claim, dataStart));
    }

    @Override
    public long claimWithHead(int length, long head) {
        int position = slotPosition;
        int units = 1 + RecordRingLayout.units(length);
        int start = startOf(units);
        if (!hasRoom(position, 1) || !hasRoomForData(start, units)) {
            return length > maximumRecord - CONTENTS ? TOO_LONG : BACK_PRESSURE;
        }
        int marks = takeData(position, start, units) == 0 ? IN_DATA | WITH_HEAD : IN_DATA | WITH_HEAD | WIDE;
        long record = RecordRingLayout.record(position & (slots - 1));
        long contents = place(start);
        RawMemory.setLong(memory, record, RecordRingLayout.data(start, units));
        RecordRingLayout.writeHead(memory, record, head, contents);
        commitWord(position, length | marks);
        return ((long) position << 32) | contents;
    }

    @Override
    public void commitContents(long claim) {
        RecordRingLayout.showContents(memory, claim);
    }

    private void commitWord(int position, int lengthAndMarks) {
        // release: the record is written before the word that shows it
        RecordRingLayout.release(
                memory,
                RecordRingLayout.word(position & (slots - 1)),
                RecordRingLayout.commitWord(RecordRingLayout.turn(position, slotsShift), lengthAndMarks));
    }

    @Override
    public void abort(long claim) {
        commit(claim, ABORTED);
    }
}

abstract class SpscProducerPadding {
    @SuppressWarnings("unused")
    private long q0, q1, q2, q3, q4, q5, q6, q7, q8, q9, q10, q11, q12, q13, q14, q15;
}

abstract class SpscProducerFields extends SpscProducerPadding {
    final MemorySegment memory;
    final int slots;
    final int slotsShift;
    final int dataUnits;
    final int dataStart;
    final int maximumRecord;
    int slotPosition;
    int dataPosition;

    private static final int NONE = -1;

    /** Units of the longer record claimed last, if its slot does not say yet where it lies; else 0. */
    int unwrittenUnits;

    int longSlot;
    int longStart;
    int headSlot;
    int headData;

    /** Slot position behind the longer record claimed last. */
    int longEnd = NONE;

    /** Slot position whose line is prepared for a record. */
    int preparedSlot = NONE;

    /** Units of the longer record whose lines are prepared; 0 if there are none. */
    int preparedUnits;

    int preparedStart;

    SpscProducerFields(RecordRing ring) {
        this.memory = ring.memory;
        this.slots = ring.slots;
        this.slotsShift = ring.slotsShift;
        this.dataUnits = ring.dataUnits;
        this.dataStart = (int) ring.dataStart;
        this.maximumRecord = ring.maximumRecord();
    }
}
