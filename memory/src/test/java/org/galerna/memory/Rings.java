package org.galerna.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/** A ring with its two ends, for tests: filled and read by patterns that depend on a record's number. */
final class Rings {
    /** Which producer writes. */
    enum Kind {
        SPSC {
            @Override
            RecordProducer producer(RecordRing ring) {
                return new SpscProducer(ring);
            }
        },
        MPSC {
            @Override
            RecordProducer producer(RecordRing ring) {
                return new MpscProducer(ring);
            }
        };

        abstract RecordProducer producer(RecordRing ring);
    }

    final RecordRing ring;
    final RecordProducer producer;
    final RecordConsumer consumer;

    private Rings(RecordRing ring, RecordProducer producer) {
        this.ring = ring;
        this.producer = producer;
        this.consumer = new RecordConsumer(ring);
    }

    static Rings of(Kind kind, int slots, int dataBytes) {
        RecordRing ring = RecordRing.create(memory(slots, dataBytes), slots, dataBytes);
        return new Rings(ring, kind.producer(ring));
    }

    /** A ring that looks as if {@code slotPosition} records and {@code dataPosition} units had passed through it. */
    static Rings at(Kind kind, int slots, int dataBytes, int slotPosition, int dataPosition) {
        Rings rings = of(kind, slots, dataBytes);
        MemorySegment memory = rings.ring.memory();
        long cursor = RecordRingLayout.cursor(dataPosition, slotPosition);
        RecordRingLayout.release(memory, RecordRingLayout.HEAD_OFFSET, cursor);
        if (rings.producer instanceof SpscProducer producer) {
            producer.slotPosition = slotPosition;
            producer.headSlot = slotPosition;
            producer.dataPosition = dataPosition;
            producer.headData = dataPosition;
        } else {
            RecordRingLayout.release(memory, RecordRingLayout.TAIL_OFFSET, cursor);
        }
        RecordConsumer consumer = rings.consumer;
        consumer.slotPosition = slotPosition;
        consumer.publishedSlot = slotPosition;
        consumer.dataPosition = dataPosition;
        consumer.publishedData = dataPosition;
        consumer.nextData = dataPosition;
        return rings;
    }

    static MemorySegment memory(int slots, int dataBytes) {
        return Arena.ofAuto().allocate(RecordRing.bytes(slots, dataBytes), 128);
    }

    /** Sends a record of a pattern; false if there is no room. */
    boolean offer(int number, int length) {
        return offer(number, length, length);
    }

    boolean offer(int number, int claimed, int committed) {
        long claim = producer.claim(claimed);
        if (claim < 0) {
            return false;
        }
        write(claim, number, committed);
        producer.commit(claim, committed);
        return true;
    }

    void write(long claim, int number, int length) {
        fill(ring.memory(), RecordProducer.offset(claim), number, length);
    }

    /** Takes the next record and checks its pattern; false if there is none. */
    boolean take(int number, int length) {
        int found = consumer.poll();
        if (found < 0) {
            if (found == RecordConsumer.CORRUPT) {
                throw new AssertionError("corrupt at record " + number);
            }
            return false;
        }
        if (found != length) {
            throw new AssertionError("record " + number + " has " + found + " bytes, expected " + length);
        }
        Optional<String> wrong = difference(ring.memory(), consumer.offset(), number, length);
        if (wrong.isPresent()) {
            throw new AssertionError("record " + number + " of " + length + " bytes: " + wrong.get());
        }
        consumer.release();
        return true;
    }

    static byte pattern(int number, int index) {
        int mixed = (number * 31 + index) * 0x9e3779b9;
        return (byte) (mixed >>> 24);
    }

    static void fill(MemorySegment memory, long offset, int number, int length) {
        for (int index = 0; index < length; index++) {
            memory.set(ValueLayout.JAVA_BYTE, offset + index, pattern(number, index));
        }
    }

    static Optional<String> difference(MemorySegment memory, long offset, int number, int length) {
        for (int index = 0; index < length; index++) {
            byte found = memory.get(ValueLayout.JAVA_BYTE, offset + index);
            if (found != pattern(number, index)) {
                return Optional.of("byte " + index + " is " + found + ", expected " + pattern(number, index));
            }
        }
        return Optional.empty();
    }
}
