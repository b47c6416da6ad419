package org.galerna.memory;

import static org.galerna.memory.RecordRingLayout.ABORTED;
import static org.galerna.memory.RecordRingLayout.HEAD_IN_RECORD;
import static org.galerna.memory.RecordRingLayout.HEAD_OFFSET;
import static org.galerna.memory.RecordRingLayout.INLINE_BYTES;
import static org.galerna.memory.RecordRingLayout.IN_DATA;
import static org.galerna.memory.RecordRingLayout.LINE_BYTES;
import static org.galerna.memory.RecordRingLayout.LINE_SHIFT;
import static org.galerna.memory.RecordRingLayout.LONG;
import static org.galerna.memory.RecordRingLayout.NARROW_BYTES;
import static org.galerna.memory.RecordRingLayout.OPEN_LENGTH_OFFSET;
import static org.galerna.memory.RecordRingLayout.OPEN_PLACE_OFFSET;
import static org.galerna.memory.RecordRingLayout.POSITION_MASK;
import static org.galerna.memory.RecordRingLayout.TAIL_OFFSET;
import static org.galerna.memory.RecordRingLayout.WIDE;
import static org.galerna.memory.RecordRingLayout.WITH_HEAD;

import java.lang.foreign.MemorySegment;
import org.galerna.nativeaccess.memory.RawMemory;

/**
 * The reading side of a {@link RecordRing}: {@link #poll}, read the record, {@link #release}. One thread at a time, with
 * a happens-before edge between one thread's use and the next one's. No call blocks or allocates.
 */
public final class RecordConsumer extends RecordConsumerFields {
    /** {@link #poll}: nothing is committed at the moment. */
    public static final int EMPTY = -1;

    /** {@link #poll}: a producer wrote what no producer of this version writes; the ring cannot be used any more. */
    public static final int CORRUPT = -2;

    /** Further ones are asked for by the core itself, which recognises a copy. */
    private static final int FETCHED_LINES = 8;

    // keeps the next object on the heap off the lines of the fields that change with every record
    @SuppressWarnings("unused")
    private long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15;

    /** The consumer of a new ring. */
    public RecordConsumer(RecordRing ring) {
        super(ring);
    }

    /**
     * Length of the next record in bytes, which then lies at {@link #offset}; {@link #EMPTY}; or {@link #CORRUPT}.
     * Returns the same record again until it is {@linkplain #release released}. If it {@linkplain #hasHead has a head}, this
     * is its contents' length and place, and whether they are there already {@link #isComplete} tells.
     */
    public int poll() {
        while (true) {
            int position = slotPosition;
            int slot = position & (slots - 1);
            // acquire: pairs with the release of the commit, so the record is there in full
            long word = RecordRingLayout.acquire(memory, RecordRingLayout.word(slot));
            if ((int) word != RecordRingLayout.turn(position, slotsShift)) {
                if (position != publishedSlot) {
                    publish();
                }
                return EMPTY;
            }
            int length = (int) (word >>> 32);
            offset = RecordRingLayout.record(slot);
            taken = 1;
            if (length >= 0 && length <= NARROW_BYTES) {
                return length;
            }
            if ((length & IN_DATA) != 0) {
                length = locateData(slot, length & ~IN_DATA);
            } else if ((length & WIDE) != 0) {
                length = locateWide(slot, length & ~WIDE);
            } else if (length != ABORTED) {
                return CORRUPT;
            }
            if (length != ABORTED) {
                return length;
            }
            release();
        }
    }

    /**
     * After {@link #poll} has found nothing: how many bytes are {@linkplain SpscProducer#show shown} of the record that
     * comes next, which then lie at {@link #offset}; {@link #EMPTY} if none are, or no more than the last time; or {@link
     * #CORRUPT}. They come again with the whole record: there is nothing to release.
     */
    public int pollOpen() {
        // acquire: pairs with the release, so the bytes and the place are there
        long shown = RecordRingLayout.acquire(memory, OPEN_LENGTH_OFFSET);
        int length = RecordRingLayout.shownLength(shown);
        if (RecordRingLayout.slotPosition(shown) != slotPosition || length == openLength) {
            return EMPTY;
        }
        return locateOpen(length);
    }

    private int locateOpen(int length) {
        long place = memory.get(LONG, OPEN_PLACE_OFFSET);
        if (RecordRingLayout.slotPosition(place) != slotPosition) {
            return EMPTY; // committed meanwhile
        }
        int index = RecordRingLayout.dataPosition(place) & (dataUnits - 1);
        if (length < openLength || length > (dataUnits - index) << LINE_SHIFT) {
            return CORRUPT;
        }
        openLength = length;
        offset = dataStart + ((long) index << LINE_SHIFT);
        return length;
    }

    private int locateWide(int slot, int length) {
        if ((slot & 1) != 0 || (length != ABORTED && (length < 0 || length > INLINE_BYTES))) {
            return CORRUPT;
        }
        taken = 2;
        return length;
    }

    private int locateData(int slot, int marked) {
        int length = marked & ~WIDE;
        if (length != marked) {
            if ((slot & 1) != 0) {
                return CORRUPT;
            }
            taken = 2;
        }
        long place = offset;
        long data = RawMemory.getLong(memory, place);
        int start = RecordRingLayout.dataStart(data);
        int units = RecordRingLayout.dataUnits(data);
        int index = start & (dataUnits - 1);
        if (units < 0 || units > dataUnits - index) {
            return CORRUPT;
        }
        long from = dataStart + ((long) index << LINE_SHIFT);
        nextData = start + units;
        if (length >= 0 && (length & WITH_HEAD) != 0) {
            return locateContents(place, from, length & ~WITH_HEAD, units);
        }
        if (length != ABORTED && (length < 0 || RecordRingLayout.units(length) > units)) {
            return CORRUPT;
        }
        fetch(from, Math.min(units, FETCHED_LINES));
        offset = from;
        return length;
    }

    private int locateContents(long place, long from, int length, int units) {
        if (RecordRingLayout.units(length) >= units) {
            return CORRUPT;
        }
        head = RawMemory.getLong(memory, place + HEAD_IN_RECORD);
        contentsWord = from;
        offset = from + LINE_BYTES;
        return length;
    }

    /** Whether the record that {@link #poll} has found was shown head first. */
    public boolean hasHead() {
        return contentsWord != 0;
    }

    /** The head of the record that {@link #poll} has found, if it has one. */
    public long head() {
        return head;
    }

    /** Whether the record that {@link #poll} has found is there in full, as all are but those with a head. */
    public boolean isComplete() {
        // acquire: pairs with the release, so the contents are there
        return contentsWord == 0 || RecordRingLayout.acquire(memory, contentsWord) != 0;
    }

    /**
     * Asks for the first lines of a record at once. Its reader looks at the beginning first, and has to know what that
     * says before it asks for more: each line would come from the other core after the one before it had arrived.
     */
    private void fetch(long from, int lines) {
        long sum = 0;
        for (int line = 0; line < lines; line++) {
            sum += RawMemory.getLong(memory, from + ((long) line << LINE_SHIFT));
        }
        fetched = sum; // so that the compiler keeps the reads
    }

    /** Offset in the ring's memory of the record that {@link #poll} has found; valid until {@link #release}. */
    public long offset() {
        return offset;
    }

    /** Gives the space of the record that {@link #poll} has found back. */
    public void release() {
        dataPosition = nextData;
        openLength = 0;
        contentsWord = 0;
        int position = (slotPosition + taken) & POSITION_MASK;
        slotPosition = position;
        // in batches, because every publication takes the line away from the producer that waits for room
        if (((position - publishedSlot) & POSITION_MASK) >= publicationBatch
                || dataPosition - publishedData >= dataPublicationBatch) {
            publish();
        }
    }

    /** Where the record that {@link #poll} looks at is: changes with every record that is released. */
    public int position() {
        return slotPosition;
    }

    /**
     * Where the next claim of a producer will be: what is claimed now lies before it. Of a ring of {@link MpscProducer}s, whose
     * claims are recorded in the ring.
     */
    public int claimed() {
        // acquire: with whatever told the caller of a claim, this sees the tail that it left
        return RecordRingLayout.slotPosition(RecordRingLayout.acquire(memory, TAIL_OFFSET));
    }

    /** Whether all that had been {@linkplain #claimed claimed} then is released. */
    public boolean hasPassed(int claimed) {
        // positions in flight are fewer than half of all, so the shorter way round tells which one is ahead
        return ((slotPosition - claimed) & POSITION_MASK) <= POSITION_MASK >>> 1;
    }

    /**
     * Whether {@link #poll} waits for a claim that is not committed. Of a ring of {@link MpscProducer}s, whose claims are
     * recorded in the ring.
     */
    public boolean isHeldUp() {
        return claimed() != slotPosition && poll() == EMPTY;
    }

    /**
     * Skips the slot that {@link #poll} waits for. To be called if and only if its producer is known to be dead. The space of
     * a longer record comes back with that of the next one, or by {@link #freeAbandoned}.
     */
    public void skipClaim() {
        taken = 1;
        release();
    }

    /** Gives the space of {@linkplain #skipClaim skipped} longer records back if nothing is claimed now. Returns whether it is. */
    public boolean freeAbandoned() {
        long tail = RecordRingLayout.acquire(memory, TAIL_OFFSET);
        if (RecordRingLayout.slotPosition(tail) != slotPosition) {
            return false;
        }
        // abandoned longer claims have left no trace of their size but here
        nextData = RecordRingLayout.dataPosition(tail);
        dataPosition = nextData;
        publish();
        return true;
    }

    private void publish() {
        publishedSlot = slotPosition;
        publishedData = dataPosition;
        // release: every read of the records below has happened before a producer writes over them
        RecordRingLayout.release(memory, HEAD_OFFSET, RecordRingLayout.cursor(dataPosition, slotPosition));
    }

    /**
     * Skips the claims that nobody will commit any more. To be called if and only if every producer is known to be
     * dead: then what is claimed and not committed was abandoned, and so were contents that are missing. Needs a ring of {@link MpscProducer}s, whose claims
     * are recorded in the ring.
     *
     * @return number of slots skipped; committed records between them stay and are polled afterwards
     */
    public int skipAbandoned() {
        int skipped = 0;
        while (true) {
            int found = poll();
            if (found >= 0 && !isComplete()) {
                release();
                skipped++;
                continue;
            }
            if (found != EMPTY) {
                return skipped;
            }
            int left = (claimed() - slotPosition) & POSITION_MASK;
            if (left == 0 || left > slots) {
                boolean ignored = freeAbandoned();
                return skipped;
            }
            skipClaim();
            skipped++;
        }
    }
}

abstract class RecordConsumerPadding {
    @SuppressWarnings("unused")
    private long q0, q1, q2, q3, q4, q5, q6, q7, q8, q9, q10, q11, q12, q13, q14, q15;
}

abstract class RecordConsumerFields extends RecordConsumerPadding {
    final MemorySegment memory;
    final int slots;
    final int slotsShift;
    final int dataUnits;
    final long dataStart;
    final int publicationBatch;
    final int dataPublicationBatch;
    int slotPosition;
    int dataPosition;
    int publishedSlot;
    int publishedData;
    int nextData;
    int taken;

    /** Bytes that were shown of the record at the position when it was last looked at. */
    int openLength;

    long head;

    /** Where the record at the position says that its contents are there; 0 if it has no head. */
    long contentsWord;

    long fetched;
    long offset;

    RecordConsumerFields(RecordRing ring) {
        this.memory = ring.memory;
        this.slots = ring.slots;
        this.slotsShift = ring.slotsShift;
        this.dataUnits = ring.dataUnits;
        this.dataStart = ring.dataStart;
        this.publicationBatch = Math.min(64, Math.max(1, ring.slots / 4));
        this.dataPublicationBatch = Math.max(1, ring.dataUnits / 8);
    }
}
