package org.galerna.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.galerna.memory.RecordRingLayout.ABORTED;
import static org.galerna.memory.RecordRingLayout.HEAD_OFFSET;
import static org.galerna.memory.RecordRingLayout.IN_DATA;
import static org.galerna.memory.RecordRingLayout.LONG;
import static org.galerna.memory.RecordRingLayout.NARROW_BYTES;
import static org.galerna.memory.RecordRingLayout.OPEN_LENGTH_OFFSET;
import static org.galerna.memory.RecordRingLayout.OPEN_PLACE_OFFSET;
import static org.galerna.memory.RecordRingLayout.SLOTS_START;
import static org.galerna.memory.RecordRingLayout.SLOT_BYTES;
import static org.galerna.memory.RecordRingLayout.TAIL_OFFSET;
import static org.galerna.memory.RecordRingLayout.WIDE;
import static org.galerna.memory.RecordRingLayout.WITH_HEAD;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.galerna.memory.Rings.Kind;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The other side of a shared ring writes whatever it likes. It may spoil the records, but an access never leaves the
 * ring's memory (the segment itself would throw), and no call goes on for ever.
 */
@Timeout(value = 30, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RecordRingHostileMemoryTest {
    private static final int SLOTS = 8;
    private static final int DATA_BYTES = 512;
    private static final long DATA_START = SLOTS_START + SLOTS * SLOT_BYTES;
    private static final int[] EXTREMES = {
        0,
        1,
        -1,
        7,
        8,
        9,
        23,
        24,
        25,
        47,
        48,
        49,
        64,
        511,
        512,
        513,
        1 << 28,
        1 << 29,
        1 << 30,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE
    };

    private Random random;

    @BeforeEach
    void seed() {
        random = new Random(Seeds.next(this));
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void garbageEverywhereNeverLeadsOutOfTheRing(Kind kind) {
        for (int round = 0; round < 20_000; round++) {
            Rings rings = Rings.at(kind, SLOTS, DATA_BYTES, position(), random.nextInt());
            byte[] garbage = new byte[(int) rings.ring.memory().byteSize()];
            random.nextBytes(garbage);
            MemorySegment.copy(garbage, 0, rings.ring.memory(), ValueLayout.JAVA_BYTE, 0, garbage.length);
            assertThat(drain(rings)).isLessThanOrEqualTo(SLOTS);
            claimAll(rings);
            rings.consumer.skipAbandoned();
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void plausibleGarbageNeverLeadsOutOfTheRing(Kind kind) {
        int records = 0;
        for (int round = 0; round < 50_000; round++) {
            Rings rings = Rings.at(kind, SLOTS, DATA_BYTES, position(), random.nextInt());
            spoilSlots(rings);
            int found = drain(rings);
            assertThat(found).isLessThanOrEqualTo(SLOTS);
            records += found;
            spoilCursor(rings, HEAD_OFFSET);
            spoilCursor(rings, TAIL_OFFSET);
            claimAll(rings);
            rings.consumer.skipAbandoned();
        }
        assertThat(records).as("records that the garbage looked like").isGreaterThan(2_000);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aRingThatIsSpoiledWhileItIsUsedStaysInBounds(Kind kind) {
        for (int round = 0; round < 200; round++) {
            Rings rings = Rings.at(kind, SLOTS, DATA_BYTES, position(), random.nextInt());
            for (int step = 0; step < 200; step++) {
                switch (random.nextInt(7)) {
                    case 5 -> spoilOpenRecord(rings);
                    case 0 -> spoilSlots(rings);
                    case 1 -> spoilCursor(rings, HEAD_OFFSET);
                    case 2 -> spoilCursor(rings, TAIL_OFFSET);
                    case 3 -> drain(rings);
                    case 4 -> claimAll(rings);
                    default -> rings.consumer.skipAbandoned();
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "25, 0, 0", // longer than a slot, neither wide nor in the data area
        "0x1fffffff, 0, 0",
        "0x20000004, 0, 0", // wide in an odd slot
        "0xa0000000, 0, 0",
        "0x3fffffff, 0, 0",
        "0x40000001, 0, 0", // one byte in no unit
        "0x40000041, 0, 1", // 65 bytes in one unit
        "0x40000200, 1, 8", // runs over the end of the area
        "0x40000040, 7, 2",
        "0x40000040, 0, 9", // more units than there are
        "0x50000040, 0, 1", // no room for the word in front of the contents
        "0xd0000040, 0, 2", // given up, and with a head
        "0x60000040, 0, 1", // takes a line, and does not begin it
        "0xe0000000, 0, 1",
        "0x40000040, 0, -1",
        "0x40000040, 0, 0x7fffffff",
        "0x40000040, -1, 2",
        "0x7fffffff, 0, 8",
        "0x80000001, 0, 0", // aborted, with a length
        "0xc0000001, 0, 1",
        "0xffffffff, 0, 8",
        "0xc0000000, 0, 9"
    })
    void reportsWhatNoProducerWrites(String marks, String dataPosition, String units) {
        Rings rings = Rings.of(Kind.SPSC, SLOTS, DATA_BYTES);
        assertThat(rings.offer(1, 4)).isTrue();
        assertThat(rings.take(1, 4)).isTrue();
        long place = RecordRingLayout.record(1);
        MemorySegment memory = rings.ring.memory();
        memory.set(
                LONG,
                place,
                RecordRingLayout.data(
                        Long.decode(dataPosition).intValue(), Long.decode(units).intValue()));
        memory.set(
                LONG,
                RecordRingLayout.word(1),
                RecordRingLayout.commitWord(1, Long.decode(marks).intValue()));
        assertThat(rings.consumer.poll()).isEqualTo(RecordConsumer.CORRUPT);
        assertThat(rings.consumer.poll()).as("once more").isEqualTo(RecordConsumer.CORRUPT);
        assertThat(rings.consumer.skipAbandoned()).isZero();
    }

    @Test
    void aRecordUpToTheEndOfTheDataAreaIsRead() {
        Rings rings = Rings.of(Kind.SPSC, SLOTS, DATA_BYTES);
        MemorySegment memory = rings.ring.memory();
        memory.set(LONG, RecordRingLayout.record(0), RecordRingLayout.data(-1, 1));
        memory.set(LONG, RecordRingLayout.word(0), RecordRingLayout.commitWord(1, 64 | IN_DATA));
        assertThat(rings.consumer.poll()).isEqualTo(64);
        assertThat(rings.consumer.offset()).isEqualTo(memory.byteSize() - 64);
    }

    private int position() {
        return random.nextInt() & RecordRingLayout.POSITION_MASK;
    }

    /** Commit words of the turns that the consumer expects, around everything else that may be wrong. */
    private void spoilSlots(Rings rings) {
        MemorySegment memory = rings.ring.memory();
        int position = rings.consumer.slotPosition;
        for (int ahead = 0; ahead < SLOTS; ahead++, position = (position + 1) & RecordRingLayout.POSITION_MASK) {
            int slot = position & (SLOTS - 1);
            int turn = RecordRingLayout.turn(position, rings.consumer.slotsShift);
            int marks = random.nextInt(4) == 0 ? 0 : IN_DATA;
            marks |= random.nextInt(4) == 0 ? WITH_HEAD : 0;
            marks |= random.nextInt(4) == 0 ? WIDE : 0;
            marks |= random.nextInt(4) == 0 ? ABORTED : 0;
            int units = random.nextBoolean() ? random.nextInt(9) : anything();
            memory.set(LONG, RecordRingLayout.record(slot), RecordRingLayout.data(anything(), units));
            int length = random.nextBoolean() ? random.nextInt(513) : anything();
            int wrongTurn = random.nextInt(16) == 0 ? anything() : turn;
            memory.set(LONG, RecordRingLayout.word(slot), RecordRingLayout.commitWord(wrongTurn, marks | length));
        }
    }

    /** Words that name the position that the consumer is at, as a producer's would. */
    private void spoilOpenRecord(Rings rings) {
        MemorySegment memory = rings.ring.memory();
        int position = rings.consumer.slotPosition;
        memory.set(LONG, OPEN_PLACE_OFFSET, RecordRingLayout.cursor(anything(), position));
        int length = random.nextBoolean() ? random.nextInt(513) : anything();
        memory.set(LONG, OPEN_LENGTH_OFFSET, RecordRingLayout.shown(length, position));
        int found = rings.consumer.pollOpen();
        if (found > 0) {
            checkInside(rings, rings.consumer.offset(), found);
            assertThat(rings.consumer.offset()).isGreaterThanOrEqualTo(DATA_START);
        } else {
            assertThat(found).isBetween(RecordConsumer.CORRUPT, 0);
        }
    }

    private void spoilCursor(Rings rings, long offset) {
        rings.ring.memory().set(LONG, offset, ((long) anything() << 32) | (anything() & 0xffffffffL));
    }

    private int anything() {
        return random.nextBoolean() ? random.nextInt() : EXTREMES[random.nextInt(EXTREMES.length)];
    }

    private static int drain(Rings rings) {
        int records = 0;
        int length;
        while ((length = rings.consumer.poll()) >= 0) {
            checkInside(rings, rings.consumer.offset(), length);
            rings.consumer.release();
            records++;
        }
        assertThat(length).isBetween(RecordConsumer.CORRUPT, RecordConsumer.EMPTY);
        return records;
    }

    private void claimAll(Rings rings) {
        for (int attempt = 0; attempt < 2 * SLOTS; attempt++) {
            int length = random.nextInt(rings.ring.maximumRecord() + 2);
            long claim = rings.producer.claim(length);
            if (claim >= 0) {
                checkInside(rings, RecordProducer.offset(claim), length);
                rings.producer.commit(claim, length);
            } else {
                assertThat(claim).isBetween(RecordProducer.TOO_LONG, RecordProducer.BACK_PRESSURE);
            }
        }
    }

    private static void checkInside(Rings rings, long offset, int length) {
        if (length <= RecordRing.INLINE_BYTES && offset < DATA_START) {
            assertThat(offset).isGreaterThanOrEqualTo(SLOTS_START);
            int slot = (int) ((offset - SLOTS_START) / SLOT_BYTES);
            assertThat(offset).isEqualTo(RecordRingLayout.record(slot));
            assertThat(length).isLessThanOrEqualTo(slot % 2 == 0 ? RecordRing.INLINE_BYTES : NARROW_BYTES);
        } else {
            assertThat(offset).isGreaterThanOrEqualTo(DATA_START);
            assertThat(offset + length).isLessThanOrEqualTo(rings.ring.memory().byteSize());
        }
    }
}
