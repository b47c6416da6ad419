package org.galerna.stress;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import org.galerna.memory.MpscProducer;
import org.galerna.memory.RecordConsumer;
import org.galerna.memory.RecordProducer;
import org.galerna.memory.RecordRing;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Records of two producers that claim at once all arrive, once and whole. */
@JCStressTest
@Outcome(id = "2, 141", expect = Expect.ACCEPTABLE, desc = "both records")
@Outcome(expect = Expect.FORBIDDEN, desc = "a record was lost, doubled or torn")
@State
public class MpscRingStress {
    private static final int LONG_RECORD = 100;

    private final RecordRing ring = RingMemory.ring();
    private final MpscProducer producer = new MpscProducer(ring);
    private final RecordConsumer consumer = new RecordConsumer(ring);

    /** Writes a short record. */
    @Actor
    public void one() {
        write(Integer.BYTES, 42);
    }

    /** Writes a long record. */
    @Actor
    public void other() {
        write(LONG_RECORD, 99);
    }

    private void write(int length, int value) {
        long claim = producer.claim(length);
        long offset = RecordProducer.offset(claim);
        ring.memory().set(JAVA_INT, offset, value);
        ring.memory().set(JAVA_INT, offset + length - Integer.BYTES, value);
        producer.commit(claim, length);
    }

    /** Takes what has arrived. */
    @Arbiter
    public void consumer(II_Result result) {
        int length;
        while ((length = consumer.poll()) >= 0) {
            int first = ring.memory().get(JAVA_INT, consumer.offset());
            int last = ring.memory().get(JAVA_INT, consumer.offset() + length - Integer.BYTES);
            consumer.release();
            result.r1++;
            result.r2 += first == last ? first : 1_000_000;
        }
    }
}
