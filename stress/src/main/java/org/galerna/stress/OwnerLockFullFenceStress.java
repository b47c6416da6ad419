package org.galerna.stress;

import org.galerna.memory.AsymmetricFence;
import org.galerna.memory.OwnerLock;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** As {@link OwnerLockStress}, where the system has no barrier for the whole process. */
@JCStressTest
@Outcome(id = "4", expect = Expect.ACCEPTABLE, desc = "every addition counted")
@Outcome(expect = Expect.FORBIDDEN, desc = "two threads were inside at once")
@State
public class OwnerLockFullFenceStress {
    private final OwnerLock lock = new OwnerLock(new AsymmetricFence(null));
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
