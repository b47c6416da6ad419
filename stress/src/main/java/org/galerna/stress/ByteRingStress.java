package org.galerna.stress;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.memory.ByteRing;
import org.galerna.memory.ByteRingConsumer;
import org.galerna.memory.ByteRingProducer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * The consumer of a ring of bytes that is full sees what was written or nothing, also where the producer overwrites what
 * the consumer has just read.
 */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "nothing new has arrived")
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "the room was used again")
@Outcome(expect = Expect.FORBIDDEN, desc = "bytes that nobody wrote there")
@State
public class ByteRingStress {
    private static final int CAPACITY = 8;
    private static final long BYTES = ByteRing.HEADER_BYTES + 128;

    /** Far more turns than states in use at any time. */
    private static final int TURNS = 1 << 15;

    private static final MemorySegment ALL = Arena.global().allocate(BYTES * TURNS, 128);
    private static final AtomicInteger NEXT = new AtomicInteger();

    private final MemorySegment memory =
            ALL.asSlice((NEXT.getAndIncrement() & (TURNS - 1)) * BYTES, BYTES).fill((byte) 0);
    private final MemorySegment data = memory.asSlice(ByteRing.HEADER_BYTES, CAPACITY);
    private final ByteRingProducer producer = new ByteRingProducer(memory, data, CAPACITY);
    private final ByteRingConsumer consumer = new ByteRingConsumer(memory, data, CAPACITY);
    private final byte[] ones = {1, 1, 1, 1, 1, 1, 1, 1};
    private final byte[] twos = {2, 2, 2, 2, 2, 2, 2, 2};
    private final byte[] first = new byte[CAPACITY];
    private final byte[] second = new byte[CAPACITY];

    /** A ring that is full of ones. */
    public ByteRingStress() {
        int unused = producer.write(ones, 0, CAPACITY);
    }

    /** Writes twos as soon as there is room. */
    @Actor
    public void writer() {
        int unused = producer.write(twos, 0, CAPACITY);
    }

    /** Reads the ones, and then what there is. */
    @Actor
    public void reader(II_Result result) {
        int unused = consumer.read(first, 0, CAPACITY);
        int count = consumer.read(second, 0, CAPACITY);
        result.r1 = same(first, CAPACITY);
        result.r2 = same(second, count);
    }

    /** The value of all the bytes; 0 if there are none, -1 if they differ. */
    private static int same(byte[] bytes, int count) {
        for (int index = 1; index < count; index++) {
            if (bytes[index] != bytes[0]) {
                return -1;
            }
        }
        return count == 0 ? 0 : bytes[0];
    }
}
