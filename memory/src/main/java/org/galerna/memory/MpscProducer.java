package org.galerna.memory;

import static org.galerna.memory.RecordRingLayout.ABORTED;
import static org.galerna.memory.RecordRingLayout.HEAD_OFFSET;
import static org.galerna.memory.RecordRingLayout.INLINE_BYTES;
import static org.galerna.memory.RecordRingLayout.IN_DATA;
import static org.galerna.memory.RecordRingLayout.LINE_SHIFT;
import static org.galerna.memory.RecordRingLayout.NARROW_BYTES;
import static org.galerna.memory.RecordRingLayout.POSITION_MASK;
import static org.galerna.memory.RecordRingLayout.TAIL_OFFSET;
import static org.galerna.memory.RecordRingLayout.WIDE_CLAIM;
import static org.galerna.memory.RecordRingLayout.WITH_HEAD;

import java.lang.foreign.MemorySegment;
import org.galerna.nativeaccess.memory.RawMemory;

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
    private final int dataStart;
    private final int maximumRecord;

    /** A producer on the ring; one object may serve many threads. */
    public MpscProducer(RecordRing ring) {
        this.memory = ring.memory;
        this.slots = ring.slots;
        this.slotsShift = ring.slotsShift;
        this.dataUnits = ring.dataUnits;
        this.dataStart = (int) ring.dataStart;
        this.maximumRecord = ring.maximumRecord();
    }

    @Override
    public long claim(int length) {
        if (length > maximumRecord) {
            return TOO_LONG;
        }
        int units = length > INLINE_BYTES ? RecordRingLayout.units(length) : 0;
        boolean wide = length > NARROW_BYTES && units == 0;
        while (true) {
            // tail first: a head read after it is at least as new as any that the tail was granted against
            long tail = RecordRingLayout.acquire(memory, TAIL_OFFSET);
            long head = RecordRingLayout.acquire(memory, HEAD_OFFSET);
            int position = RecordRingLayout.slotPosition(tail);
            int start = RecordRingLayout.dataPosition(tail);
            int used = (position - RecordRingLayout.slotPosition(head)) & POSITION_MASK;
            int needed = wide ? 2 + (position & 1) : 1;
            if (used + needed > slots) {
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
            long next = RecordRingLayout.cursor(start + units, (position + needed) & POSITION_MASK);
            if (RecordRingLayout.compareAndSet(memory, TAIL_OFFSET, tail, next)) {
                return wide ? grantedWide(position) : granted(position, start, units);
            }
            Thread.onSpinWait();
        }
    }

    private long grantedWide(int next) {
        if ((next & 1) != 0) {
            commitWord(next, ABORTED);
        }
        int position = (next + (next & 1)) & POSITION_MASK;
        return ((long) position << 32) | RecordRingLayout.record(position & (slots - 1)) | WIDE_CLAIM;
    }

    private long granted(int position, int start, int units) {
        long place = RecordRingLayout.record(position & (slots - 1));
        if (units == 0) {
            return ((long) position << 32) | place;
        }
        RawMemory.setLong(memory, place, RecordRingLayout.data(start, units));
        return ((long) position << 32) | (dataStart + ((long) (start & (dataUnits - 1)) << LINE_SHIFT));
    }

    @Override
    public void commit(long claim, int length) {
        commitWord((int) (claim >>> 32), length | RecordRingLayout.marks(claim, dataStart));
    }

    @Override
    public long claimWithHead(int length, long head) {
        long claim = claim(Math.max(CONTENTS + length, INLINE_BYTES + 1));
        if (claim >= 0) {
            int position = (int) (claim >>> 32);
            long record = RecordRingLayout.record(position & (slots - 1));
            RecordRingLayout.writeHead(memory, record, head, RecordProducer.offset(claim));
            commitWord(position, length | IN_DATA | WITH_HEAD);
        }
        return claim;
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
