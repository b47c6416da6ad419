package org.galerna.messaging.coalescing;

import org.galerna.link.process.ProcessFence;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** What somebody else has done inside is what the owner finds there afterwards: nothing is lost, nothing half done. */
@JCStressTest
@Outcome(
        id = {"1, 1", "2, 2"},
        expect = Expect.ACCEPTABLE,
        desc = "one came after the other")
@Outcome(expect = Expect.FORBIDDEN, desc = "an addition was lost, or seen halfway")
@State
public class SeizableReturnStress {
    private final Seizable seizable = new Seizable(ProcessFence.instance());
    private int first;
    private int second;

    /** Adds, and reads. */
    @Actor
    public void owner(II_Result result) {
        seizable.enter();
        first++;
        second++;
        result.r1 = first;
        result.r2 = second;
        seizable.leave();
    }

    /** Adds as well, when the owner is outside. */
    @Actor
    public void other() {
        synchronized (seizable) {
            boolean ignored = seizable.seize(true);
            first++;
            second++;
            seizable.yieldBack();
        }
    }
}
