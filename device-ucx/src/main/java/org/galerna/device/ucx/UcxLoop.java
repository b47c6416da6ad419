package org.galerna.device.ucx;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.galerna.device.support.BlockedCalls;
import org.galerna.device.support.Membership;
import org.galerna.device.support.ProgressLoop;
import org.galerna.memory.idle.IdleStrategy;

/**
 * Making progress over UCX. A thread that sleeps is woken by the {@link ProgressThread}, which alone waits for UCX's descriptor.
 *
 * <p>No lost wake-up: a thread announces its sleep and looks once more under the lock. Whoever completes what it waits for does
 * so under the lock, later, and then finds the announcement.
 */
final class UcxLoop extends ProgressLoop {
    private static final long SLEEP_NANOS = 100_000_000;
    private static final VarHandle LOOKS;

    static {
        try {
            LOOKS = MethodHandles.lookup().findVarHandle(UcxLoop.class, "looks", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final Engine engine;
    private Runnable rouseHelper = () -> {};
    private int looks; // racy: only tells the progress thread that somebody looks

    UcxLoop(Engine engine, Membership membership, IdleStrategy waiting, BlockedCalls blocked) {
        super(membership, waiting, blocked);
        this.engine = engine;
    }

    /** Called when a thread goes to sleep. */
    void helpedBy(Runnable rouse) {
        rouseHelper = rouse;
    }

    @Override
    public boolean make() {
        LOOKS.setOpaque(this, looks + 1);
        return look(false);
    }

    private boolean look(boolean thoroughly) {
        int moved = 0;
        if (thoroughly) {
            engine.lock();
        } else if (!engine.tryLock()) {
            return advanceCompounds() > 0;
        }
        try {
            moved = engine.progress(thoroughly);
        } finally {
            engine.unlock();
        }
        int advanced = advanceCompounds();
        if (advanced > 0) {
            engine.wakeUp();
        }
        return moved + advanced > 0;
    }

    @Override
    protected boolean makeForCertain() {
        return look(true);
    }

    /** As a thread that waits, for one that is none of the rank's; true if something has moved. */
    boolean attend() {
        return look(true);
    }

    /** Changes when a thread of the rank looks. */
    int looks() {
        return (int) LOOKS.getOpaque(this);
    }

    @Override
    protected void announceSleep() {
        engine.announceSleep();
    }

    @Override
    protected void retractSleep() {
        engine.retractSleep();
    }

    @Override
    protected void sleep() {
        rouseHelper.run();
        LockSupport.parkNanos(this, SLEEP_NANOS);
        engine.retractSleep();
    }
}
