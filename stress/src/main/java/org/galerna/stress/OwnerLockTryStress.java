package org.galerna.stress;

import org.galerna.link.process.ProcessFence;
import org.galerna.memory.OwnerLock;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Who gets the lock by trying, owner or revoker, sees all or nothing of what the other one did inside. */
@JCStressTest
@Outcome(
        id = {"0, 0", "1, 1"},
        expect = Expect.ACCEPTABLE,
        desc = "came before or after the owner")
@Outcome(id = "-1, -1", expect = Expect.ACCEPTABLE, desc = "did not get the lock")
@Outcome(expect = Expect.FORBIDDEN, desc = "saw the owner at work")
@State
public class OwnerLockTryStress {
    private final OwnerLock lock = new OwnerLock(ProcessFence.instance());
    private int first;
    private int second;

    /** Changes both numbers; mostly the owner. */
    @Actor
    public void writer() {
        lock.lock();
        first = 1;
        second = 1;
        lock.unlock();
    }

    /** Tries, and reads both numbers; mostly the one that revokes. */
    @Actor
    public void reader(II_Result result) {
        if (!lock.tryLock()) {
            result.r1 = -1;
            result.r2 = -1;
            return;
        }
        result.r2 = second;
        result.r1 = first;
        lock.unlock();
    }
}
