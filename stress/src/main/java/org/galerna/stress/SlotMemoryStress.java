package org.galerna.stress;

import org.galerna.memory.SlotMemory;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/** A thread that sees a value committed in memory for slots sees all of the value. */
@JCStressTest
@Outcome(
        id = {"0, 0, 0", "1, 2, 3"},
        expect = Expect.ACCEPTABLE,
        desc = "the value is not there yet, or all of it is")
@Outcome(expect = Expect.FORBIDDEN, desc = "committed, and not there as a whole")
@State
public class SlotMemoryStress {
    private static final long HEADER = 8;
    private static final long BYTES = 16;

    private final SlotMemory memory = new SlotMemory(64, 64);
    private final long[] value = {3};

    /** Shows a value. */
    @Actor
    public void writer() {
        memory.write(value, 0, BYTES, Long.BYTES);
        memory.set(HEADER, 2);
        memory.setRelease(0, 1);
    }

    /** Reads it once it has been committed. */
    @Actor
    public void reader(JJJ_Result result) {
        result.r1 = memory.getAcquire(0);
        if (result.r1 != 0) {
            long[] read = new long[1];
            result.r2 = memory.get(HEADER);
            memory.read(BYTES, read, 0, Long.BYTES);
            result.r3 = read[0];
        }
    }
}
