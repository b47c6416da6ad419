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

/** What is shown of a record is there, also where the record is committed and another one shown at the same time. */
@JCStressTest
@Outcome(id = "-1, -1", expect = Expect.ACCEPTABLE, desc = "looked too early, twice")
@Outcome(
        id = {"-1, 41", "41, -1"},
        expect = Expect.ACCEPTABLE,
        desc = "saw the beginning of the first record")
@Outcome(
        id = {"-1, 42", "41, 42", "42, -1"},
        expect = Expect.ACCEPTABLE,
        desc = "saw the first record whole")
@Outcome(
        id = {"42, 99"},
        expect = Expect.ACCEPTABLE,
        desc = "saw the beginning of the second record")
@Outcome(expect = Expect.FORBIDDEN, desc = "bytes that were not written, or another record's")
@State
public class OpenRecordStress {
    private static final int LENGTH = 100;
    private static final int SECOND = 64;

    private final RecordRing ring = RingMemory.ring();
    private final SpscProducer producer = new SpscProducer(ring);
    private final RecordConsumer consumer = new RecordConsumer(ring);

    /** Shows the beginning of a record, commits it, and shows the beginning of another. */
    @Actor
    public void producer() {
        long first = producer.claim(LENGTH);
        write(first, 0, 41);
        producer.show(first, Integer.BYTES);
        write(first, SECOND, 42);
        producer.commit(first, LENGTH);
        long next = producer.claim(LENGTH);
        write(next, 0, 99);
        producer.show(next, Integer.BYTES);
    }

    private void write(long claim, int at, int value) {
        ring.memory().set(JAVA_INT, RecordProducer.offset(claim) + at, value);
    }

    /** Looks twice; a whole record says 42, the beginning of one what stands there. */
    @Actor
    public void consumer(II_Result result) {
        result.r1 = read();
        result.r2 = read();
    }

    private int read() {
        if (consumer.poll() == LENGTH) {
            int whole = ring.memory().get(JAVA_INT, consumer.offset() + SECOND);
            consumer.release();
            return whole;
        }
        int length = consumer.pollOpen();
        return length < 0 ? length : ring.memory().get(JAVA_INT, consumer.offset());
    }
}
