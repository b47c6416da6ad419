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

/** No two threads are inside at once, while a visitor comes and goes and a third thread revokes the owner. */
@JCStressTest
@Outcome(id = "7", expect = Expect.ACCEPTABLE, desc = "every addition counted")
@Outcome(expect = Expect.FORBIDDEN, desc = "two threads were inside at once")
@State
public class OwnerLockVisitStress {
    private final OwnerLock lock = new OwnerLock(ProcessFence.instance());
    private int count;

    /** Adds three times; the owner, if it comes first. */
    @Actor
    public void one() {
        add();
        add();
        add();
    }

    /** Adds twice, as a visitor. */
    @Actor
    public void visitor() {
        lock.visitedBy(Thread.currentThread());
        add();
        add();
    }

    /** Adds twice. */
    @Actor
    public void other() {
        add();
        if (lock.tryLock()) {
            try {
                count++;
            } finally {
                lock.unlock();
            }
        } else {
            add();
        }
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
