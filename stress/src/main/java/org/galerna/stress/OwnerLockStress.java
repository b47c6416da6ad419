package org.galerna.stress;

import org.galerna.link.process.ProcessFence;
import org.galerna.memory.OwnerLock;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** No two threads are inside at once, also while the owner is being revoked, and each sees what the last one did. */
@JCStressTest
@Outcome(id = "4", expect = Expect.ACCEPTABLE, desc = "every addition counted")
@Outcome(expect = Expect.FORBIDDEN, desc = "two threads were inside at once")
@State
public class OwnerLockStress {
    private final OwnerLock lock = new OwnerLock(ProcessFence.instance());
    private int count;

    /** Adds twice; the first thread to come is the owner. */
    @Actor
    public void one() {
        add();
        add();
    }

    /** Adds twice. */
    @Actor
    public void other() {
        add();
        add();
    }

    private void add() {
        lock.lock();
        try {
            count++;
        } finally {
            lock.unlock();
        }
    }

    /** Reads the sum. */
    @Arbiter
    public void sum(I_Result result) {
        result.r1 = count;
    }
}
