package org.galerna.stress;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import org.galerna.memory.RecordConsumer;
import org.galerna.memory.RecordProducer;
import org.galerna.memory.RecordRing;
import org.galerna.memory.SpscProducer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Committed records, short and long, are seen whole and in order, or not at all. */
@JCStressTest
@Outcome(id = "-1, -1", expect = Expect.ACCEPTABLE, desc = "looked too early, twice")
@Outcome(
        id = {"-1, 42", "42, -1"},
        expect = Expect.ACCEPTABLE,
        desc = "saw the first record")
@Outcome(id = "42, 99", expect = Expect.ACCEPTABLE, desc = "saw both records")
@Outcome(expect = Expect.FORBIDDEN, desc = "a record that was never written, or out of order")
@State
public class SpscRingStress {
    private static final int LONG_RECORD = 100;

    private final RecordRing ring = RingMemory.ring();
    private final SpscProducer producer = new SpscProducer(ring);
    private final RecordConsumer consumer = new RecordConsumer(ring);

    /** Writes a short record, then a long one. */
    @Actor
    public void producer() {
        write(Integer.BYTES, 42);
        write(LONG_RECORD, 99);
    }

    private void write(int length, int value) {
        long claim = producer.claim(length);
        long offset = RecordProducer.offset(claim);
        ring.memory().set(JAVA_INT, offset, value);
        ring.memory().set(JAVA_INT, offset + length - Integer.BYTES, value);
        producer.commit(claim, length);
    }

    /** Looks twice. */
    @Actor
    public void consumer(II_Result result) {
        result.r1 = read();
        result.r2 = read();
    }

    private int read() {
        int length = consumer.poll();
        if (length < 0) {
            return length;
        }
        int first = ring.memory().get(JAVA_INT, consumer.offset());
        int last = ring.memory().get(JAVA_INT, consumer.offset() + length - Integer.BYTES);
        consumer.release();
        return first == last ? first : 0;
    }
}
