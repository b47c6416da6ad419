package org.galerna.stress;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.galerna.link.process.ProcessFence;
import org.galerna.memory.AsymmetricFence;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Of two threads that store, fence and load, at least one sees the other's store. */
@JCStressTest
@Outcome(
        id = {"0, 1", "1, 0", "1, 1"},
        expect = Expect.ACCEPTABLE,
        desc = "at least one saw the other")
@Outcome(id = "0, 0", expect = Expect.FORBIDDEN, desc = "both loads came before the other's store")
@State
public class AsymmetricFenceStress {
    private static final VarHandle FREQUENT;
    private static final VarHandle RARE;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            FREQUENT = lookup.findVarHandle(AsymmetricFenceStress.class, "frequent", int.class);
            RARE = lookup.findVarHandle(AsymmetricFenceStress.class, "rare", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final AsymmetricFence fence = ProcessFence.instance();

    @SuppressWarnings("UnusedVariable") // accessed through FREQUENT
    private int frequent;

    @SuppressWarnings("UnusedVariable") // accessed through RARE
    private int rare;

    /** The side that runs all the time. */
    @Actor
    public void frequentSide(II_Result result) {
        FREQUENT.setOpaque(this, 1);
        fence.light();
        result.r1 = (int) RARE.getOpaque(this);
    }

    /** The side that hardly ever runs. */
    @Actor
    public void rareSide(II_Result result) {
        RARE.setOpaque(this, 1);
        fence.heavy();
        result.r2 = (int) FREQUENT.getOpaque(this);
    }
}
