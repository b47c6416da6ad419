package org.galerna.messaging.coalescing;

import org.galerna.link.process.ProcessFence;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Who seizes what belongs to another thread sees all or nothing of what its owner does inside, twice in a row. */
@JCStressTest
@Outcome(
        id = {"0, 0", "1, 1", "2, 2"},
        expect = Expect.ACCEPTABLE,
        desc = "came before, between or after")
@Outcome(id = "-1, -1", expect = Expect.ACCEPTABLE, desc = "the owner was inside")
@Outcome(expect = Expect.FORBIDDEN, desc = "saw the owner at work")
@State
public class SeizableStress {
    private final Seizable seizable = new Seizable(ProcessFence.instance());
    private int first;
    private int second;

    /** Changes both numbers twice. */
    @Actor
    public void owner() {
        for (int round = 1; round <= 2; round++) {
            seizable.enter();
            first = round;
            second = round;
            seizable.leave();
        }
    }

    /** Reads both numbers. */
    @Actor
    public void other(II_Result result) {
        synchronized (seizable) {
            if (!seizable.seize(false)) {
                result.r1 = -1;
                result.r2 = -1;
                return;
            }
            result.r2 = second;
            result.r1 = first;
            seizable.yieldBack();
        }
    }
}
