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

/**
 * The consumer's thread sends to its own ring while another producer does: what it polls meanwhile, and what is left,
 * are the two records that were committed, once each, and not the one that was aborted.
 */
@JCStressTest
@Outcome(
        id = {"0, 141", "42, 99", "99, 42", "141, 0"},
        expect = Expect.ACCEPTABLE,
        desc = "each record once, early or late")
@Outcome(expect = Expect.FORBIDDEN, desc = "a record was lost, doubled, torn, or not meant to be seen")
@State
public class MpscPollStress {
    private static final int LONG_RECORD = 100;
    private static final int ABORTED = 10_000;
    private static final int TORN = 1_000_000;

    private final RecordRing ring = RingMemory.ring();
    private final MpscProducer producer = new MpscProducer(ring);
    private final RecordConsumer consumer = new RecordConsumer(ring);

    /** Writes a long record. */
    @Actor
    public void producer() {
        producer.commit(write(LONG_RECORD, 99), LONG_RECORD);
    }

    /** Polls, writes a short record, and polls again until it has looked three times. */
    @Actor
    public void consumer(II_Result result) {
        result.r1 = read();
        producer.commit(write(Integer.BYTES, 42), Integer.BYTES);
        result.r1 += read();
        result.r1 += read();
    }

    private long write(int length, int value) {
        long claim = producer.claim(length);
        long offset = RecordProducer.offset(claim);
        ring.memory().set(JAVA_INT, offset, value);
        ring.memory().set(JAVA_INT, offset + length - Integer.BYTES, value);
        return claim;
    }

    private int read() {
        int length = consumer.poll();
        if (length < 0) {
            return 0;
        }
        int first = ring.memory().get(JAVA_INT, consumer.offset());
        int last = ring.memory().get(JAVA_INT, consumer.offset() + length - Integer.BYTES);
        consumer.release();
        return first == last ? first : TORN;
    }

    /** Takes what is left, behind a claim that is aborted. */
    @Arbiter
    public void rest(II_Result result) {
        result.r2 = read() + read();
        producer.abort(write(Integer.BYTES, ABORTED));
        result.r2 += read();
    }
}
