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

/** A producer that finds a slot given back never writes over a record that is still being read. */
@JCStressTest
@Outcome(
        id = {"1, 0", "1, 1"},
        expect = Expect.ACCEPTABLE,
        desc = "read what was written; the third claim may find room")
@Outcome(expect = Expect.FORBIDDEN, desc = "the record changed while it was read")
@State
public class RingReuseStress {
    private final RecordRing ring = RingMemory.ring();
    private final SpscProducer producer = new SpscProducer(ring);
    private final RecordConsumer consumer = new RecordConsumer(ring);

    /** Fills the ring. */
    public RingReuseStress() {
        for (int record = 0; record < RingMemory.SLOTS; record++) {
            boolean unused = write(1);
        }
    }

    private boolean write(int value) {
        long claim = producer.claim(Integer.BYTES);
        if (claim < 0) {
            return false;
        }
        ring.memory().set(JAVA_INT, RecordProducer.offset(claim), value);
        producer.commit(claim, Integer.BYTES);
        return true;
    }

    /** Wants the first slot again. */
    @Actor
    public void producer(II_Result result) {
        result.r2 = write(2) ? 1 : 0;
    }

    /** Reads the first slot and gives it back. */
    @Actor
    public void consumer(II_Result result) {
        int length = consumer.poll();
        result.r1 = length < 0 ? length : ring.memory().get(JAVA_INT, consumer.offset());
        consumer.release();
    }
}
