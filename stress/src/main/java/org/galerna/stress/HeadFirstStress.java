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

/** Contents are there when the consumer is told so, also where an earlier record has left that word behind. */
@JCStressTest
@Outcome(id = "-1, -1", expect = Expect.ACCEPTABLE, desc = "looked too early")
@Outcome(id = "7, -1", expect = Expect.ACCEPTABLE, desc = "saw the head alone")
@Outcome(id = "7, 42", expect = Expect.ACCEPTABLE, desc = "saw the head and the contents")
@Outcome(expect = Expect.FORBIDDEN, desc = "a head or contents that were not written")
@State
public class HeadFirstStress {
    private static final int LENGTH = 100;

    private final RecordRing ring = RingMemory.ring();
    private final SpscProducer producer = new SpscProducer(ring);
    private final RecordConsumer consumer = new RecordConsumer(ring);

    /** Leaves a record behind whose words say that contents are there wherever the next one could look for that. */
    public HeadFirstStress() {
        long claim;
        while ((claim = producer.claim(LENGTH)) >= 0) {
            for (int at = 0; at < LENGTH; at += Integer.BYTES) {
                ring.memory().set(JAVA_INT, RecordProducer.offset(claim) + at, 1);
            }
            producer.commit(claim, LENGTH);
        }
        while (consumer.poll() >= 0) {
            consumer.release();
        }
    }

    /** Shows a head, then its contents. */
    @Actor
    public void producer() {
        long claim = producer.claimWithHead(LENGTH, 7);
        ring.memory().set(JAVA_INT, RecordProducer.offset(claim) + RecordProducer.CONTENTS, 42);
        producer.commitContents(claim);
    }

    /** Looks once. */
    @Actor
    public void consumer(II_Result result) {
        result.r1 = -1;
        result.r2 = -1;
        if (consumer.poll() == LENGTH) {
            result.r1 = (int) consumer.head();
            if (consumer.isComplete()) {
                result.r2 = ring.memory().get(JAVA_INT, consumer.offset());
            }
        }
    }
}
