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
import static org.galerna.memory.RecordRingLayout.TAIL_OFFSET;

import java.lang.foreign.MemorySegment;

/**
 * One of several producers of a {@link RecordRing}. Any number of threads, in one process or several, may claim at
 * once and hold claims at the same time. No call blocks or allocates; a claim retries when another one overtakes it.
 *
 * <p>Argument: slot and data positions move together in one word by compare-and-set, so claims are disjoint and
 * ordered. A claim is granted only against a head that the consumer had published earlier, and heads only grow, so a
 * granted slot is free. The consumer waits at the first claim that is not committed, so records come out in the order
 * of the claims.
 */
public final class MpscProducer implements RecordProducer {
    private final MemorySegment memory;
    private final int slots;
    private final int slotsShift;
    private final int dataUnits;
    private final long dataStart;
    private final int maximumRecord;

    /** A producer on the ring; one object may serve many threads. */
    public MpscProducer(RecordRing ring) {
        this.memory = ring.memory;
        this.slots = ring.slots;
        this.slotsShift = ring.slotsShift;
        this.dataUnits = ring.dataUnits;
        this.dataStart = ring.dataStart;
        this.maximumRecord = ring.maximumRecord();
    }

    @Override
    public long claim(int length) {
        if (length > maximumRecord) {
            return TOO_LONG;
        }
        int units = length > INLINE_BYTES ? RecordRingLayout.units(length) : 0;
        while (true) {
            // tail first: a head read after it is at least as new as any that the tail was granted against
            long tail = RecordRingLayout.acquire(memory, TAIL_OFFSET);
            long head = RecordRingLayout.acquire(memory, HEAD_OFFSET);
            int position = RecordRingLayout.slotPosition(tail);
            int start = RecordRingLayout.dataPosition(tail);
            int used = (position - RecordRingLayout.slotPosition(head)) & POSITION_MASK;
            if (used >= slots) {
                if (tail == RecordRingLayout.acquire(memory, TAIL_OFFSET)) {
                    return BACK_PRESSURE;
                }
                continue; // the head has overtaken this old tail
            }
            if (units > 0) {
                start = DataArea.start(start, units, dataUnits);
                if (!DataArea.fits(start, units, RecordRingLayout.dataPosition(head), dataUnits)) {
                    if (tail == RecordRingLayout.acquire(memory, TAIL_OFFSET)) {
                        return BACK_PRESSURE;
                    }
                    continue;
                }
            }
            long next = RecordRingLayout.cursor(start + units, (position + 1) & POSITION_MASK);
            if (RecordRingLayout.compareAndSet(memory, TAIL_OFFSET, tail, next)) {
                return granted(position, start, units);
            }
            Thread.onSpinWait();
        }
    }

    private long granted(int position, int start, int units) {
        long slot = SLOTS_START + ((long) (position & (slots - 1)) << SLOT_SHIFT);
        if (units == 0) {
            return ((long) position << 32) | (slot + RECORD_IN_SLOT);
        }
        memory.set(INT, slot + DATA_POSITION_IN_SLOT, start);
        memory.set(INT, slot + DATA_UNITS_IN_SLOT, units);
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
