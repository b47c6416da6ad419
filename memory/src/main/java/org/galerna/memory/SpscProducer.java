package org.galerna.memory;

import static org.galerna.memory.RecordRingLayout.DATA_POSITION_IN_SLOT;
import static org.galerna.memory.RecordRingLayout.DATA_UNITS_IN_SLOT;
import static org.galerna.memory.RecordRingLayout.HEAD_OFFSET;
import static org.galerna.memory.RecordRingLayout.INLINE_BYTES;
import static org.galerna.memory.RecordRingLayout.INT;
import static org.galerna.memory.RecordRingLayout.POSITION_MASK;
import static org.galerna.memory.RecordRingLayout.RECORD_IN_SLOT;
import static org.galerna.memory.RecordRingLayout.SLOTS_START;
import static org.galerna.memory.RecordRingLayout.SLOT_SHIFT;

import java.lang.foreign.MemorySegment;

/**
 * The only producer of a {@link RecordRing}. One thread at a time, with a happens-before edge between one thread's use
 * and the next one's. Claims are committed in the order in which they were made. No call blocks or allocates.
 */
public final class SpscProducer extends SpscProducerFields implements RecordProducer {
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
        if (((position - headSlot) & POSITION_MASK) >= slots && !roomAfterRefresh(position)) {
            return BACK_PRESSURE;
        }
        int slot = (int) SLOTS_START + ((position & (slots - 1)) << SLOT_SHIFT);
        if (length > INLINE_BYTES) {
            return claimData(slot, length);
        }
        slotPosition = (position + 1) & POSITION_MASK;
        return ((long) position << 32) | (slot + RECORD_IN_SLOT);
    }

    private boolean roomAfterRefresh(int position) {
        refreshHead();
        return ((position - headSlot) & POSITION_MASK) < slots;
    }

    private void refreshHead() {
        // acquire: the consumer has read everything below its head before it published it
        long head = RecordRingLayout.acquire(memory, HEAD_OFFSET);
        headSlot = RecordRingLayout.slotPosition(head);
        headData = RecordRingLayout.dataPosition(head);
    }

    private long claimData(int slot, int length) {
        if (length > maximumRecord) {
            return TOO_LONG;
        }
        int units = RecordRingLayout.units(length);
        int start = DataArea.start(dataPosition, units, dataUnits);
        if (!DataArea.fits(start, units, headData, dataUnits)) {
            refreshHead();
            if (!DataArea.fits(start, units, headData, dataUnits)) {
                return BACK_PRESSURE;
            }
        }
        memory.set(INT, slot + DATA_POSITION_IN_SLOT, start);
        memory.set(INT, slot + DATA_UNITS_IN_SLOT, units);
        int position = slotPosition;
        slotPosition = (position + 1) & POSITION_MASK;
        dataPosition = start + units;
        return ((long) position << 32) | (dataStart + ((long) (start & (dataUnits - 1)) << SLOT_SHIFT));
    }

    @Override
    public void commit(long claim, int length) {
        int position = (int) (claim >>> 32);
        // release: the record is written before the word that shows it
        RecordRingLayout.release(
                memory,
                SLOTS_START + ((long) (position & (slots - 1)) << SLOT_SHIFT),
                RecordRingLayout.commitWord(
                        RecordRingLayout.turn(position, slotsShift),
                        RecordProducer.offset(claim) < dataStart ? length : length | RecordRingLayout.IN_DATA));
    }

    @Override
    public void abort(long claim) {
        commit(claim, RecordRingLayout.ABORTED);
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
    int headSlot;
    int headData;

    SpscProducerFields(RecordRing ring) {
        this.memory = ring.memory;
        this.slots = ring.slots;
        this.slotsShift = ring.slotsShift;
        this.dataUnits = ring.dataUnits;
        this.dataStart = (int) ring.dataStart;
        this.maximumRecord = ring.maximumRecord();
    }
}
