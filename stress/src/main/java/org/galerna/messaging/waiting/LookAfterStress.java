package org.galerna.messaging.waiting;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * What a sender leaves for the handlers is found by the last one that goes to sleep, or the sender wakes it:
 * {@link HandlerWakeup#lookAfter} against the steps of a handler before it sleeps.
 */
@JCStressTest
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "what was left was seen, or the handler woken")
@Outcome(id = "0", expect = Expect.FORBIDDEN, desc = "the handler sleeps, and nobody looks")
@State
public class LookAfterStress {
    /** Far longer than a wake-up takes, however busy the machine. */
    private static final long LOST_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final VarHandle LEFT;

    static {
        try {
            LEFT = MethodHandles.lookup().findVarHandle(LookAfterStress.class, "left", boolean.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final HandlerWakeup wakeup = new HandlerWakeup();

    @SuppressWarnings("UnusedVariable") // accessed through LEFT
    private boolean left;

    /** Tells a wake-up that was lost from a sender that is late. */
    private volatile boolean looked;

    /** One handler, which is awake. */
    public LookAfterStress() {
        wakeup.begin(1);
    }

    /** A sender. */
    @Actor
    public void sender() {
        LEFT.setOpaque(this, true);
        wakeup.lookAfter();
        looked = true;
    }

    /** The last handler, which goes to sleep unless there is something to look after. */
    @Actor
    public void handler(I_Result result) {
        result.r1 = 1;
        boolean last = wakeup.rest();
        wakeup.bell().prepare();
        if (last && (boolean) LEFT.getOpaque(this)) {
            wakeup.bell().cancel();
            return;
        }
        long start = System.nanoTime();
        wakeup.bell().sleep(LOST_NANOS);
        if (looked && System.nanoTime() - start >= LOST_NANOS) {
            result.r1 = 0;
        }
    }
}
