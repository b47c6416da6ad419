package org.galerna.stress;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import org.galerna.link.process.ProcessFence;
import org.galerna.memory.Doorbell;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A thread that goes to sleep while another one makes the change it waits for is always woken. */
@JCStressTest
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "the change was seen or the sleeper woken")
@Outcome(id = "0", expect = Expect.FORBIDDEN, desc = "the wake-up was lost")
@State
public class DoorbellStress {
    /** Far longer than a wake-up takes, however busy the machine. */
    private static final long LOST_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final VarHandle CHANGED;

    static {
        try {
            CHANGED = MethodHandles.lookup().findVarHandle(DoorbellStress.class, "changed", boolean.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final Doorbell doorbell = new Doorbell(ProcessFence.instance());

    @SuppressWarnings("UnusedVariable") // accessed through CHANGED
    private boolean changed;

    /** Tells a wake-up that was lost from a ringer that is late. */
    private volatile boolean rung;

    /** The ringer's protocol. */
    @Actor
    public void ringer() {
        CHANGED.setRelease(this, true);
        doorbell.ring();
        rung = true;
    }

    /** The waiter's protocol. */
    @Actor
    public void waiter(I_Result result) {
        result.r1 = 1;
        while (!isChanged()) {
            doorbell.prepare();
            if (isChanged()) {
                doorbell.cancel();
                return;
            }
            long start = System.nanoTime();
            doorbell.sleep(LOST_NANOS);
            if (rung && System.nanoTime() - start >= LOST_NANOS) {
                result.r1 = 0;
                return;
            }
        }
    }

    private boolean isChanged() {
        return (boolean) CHANGED.getAcquire(this);
    }
}
