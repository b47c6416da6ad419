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

/** A producer that prepares its next record never writes over one that is still being read. */
@JCStressTest
@Outcome(
        id = {"1, 1", "-1, 1"},
        expect = Expect.ACCEPTABLE,
        desc = "read what was written; there may have been room for a third")
@Outcome(expect = Expect.FORBIDDEN, desc = "a record changed while it was read")
@State
public class RingPrepareStress {
    private static final int LENGTH = RingMemory.DATA_BYTES / 2;
    private static final int LAST = LENGTH - Integer.BYTES;
    private static final int LINE = 64;

    private final RecordRing ring = RingMemory.ring();
    private final SpscProducer producer = new SpscProducer(ring);
    private final RecordConsumer consumer = new RecordConsumer(ring);

    /** Fills the ring. */
    public RingPrepareStress() {
        boolean first = write();
        boolean second = write();
        if (!first || !second) {
            throw new AssertionError("two records fit");
        }
    }

    private boolean write() {
        long claim = producer.claim(LENGTH);
        if (claim < 0) {
            return false;
        }
        int offset = RecordProducer.offset(claim);
        ring.memory().set(JAVA_INT, offset, 1);
        ring.memory().set(JAVA_INT, offset + LINE, 1);
        ring.memory().set(JAVA_INT, offset + LAST, 1);
        producer.commit(claim, LENGTH);
        return true;
    }

    /** Wants room, and prepares what is free. */
    @Actor
    public void producer(II_Result result) {
        result.r1 = write() ? 1 : -1;
        producer.prepare();
    }

    /** Reads both records and gives them back. */
    @Actor
    public void consumer(II_Result result) {
        int first = read();
        int second = read();
        result.r2 = first & second;
    }

    private int read() {
        if (consumer.poll() != LENGTH) {
            return 0;
        }
        long offset = consumer.offset();
        int value = ring.memory().get(JAVA_INT, offset)
                & ring.memory().get(JAVA_INT, offset + LINE)
                & ring.memory().get(JAVA_INT, offset + LAST);
        consumer.release();
        return value;
    }
}
