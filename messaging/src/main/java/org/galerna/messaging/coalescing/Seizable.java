package org.galerna.messaging.coalescing;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.galerna.memory.AsymmetricFence;

/**
 * What one thread, the owner, enters all the time and without an atomic operation, and others hardly ever.
 *
 * <p>Argument. The owner stores {@code held}, passes the light fence and loads {@code wanted}; another one, under the
 * monitor, stores {@code wanted}, passes the heavy fence and loads {@code held}. By the property of
 * {@link AsymmetricFence} at least one sees the other's store. If the owner does, it retreats and waits for the monitor,
 * which the other one leaves after it has lowered {@code wanted}. Otherwise the other one sees {@code held}, and either
 * waits for the release store that clears it or goes away. It reads {@code held} with acquire, so that what the owner has
 * done inside happened before; what it does itself is published by the release store to {@code wanted}, which the owner
 * reads with acquire.
 *
 * <p>Unlike {@link org.galerna.memory.OwnerLock} it stays the owner's own, however often others come.
 */
public class Seizable {
    private static final VarHandle HELD;
    private static final VarHandle WANTED;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            HELD = lookup.findVarHandle(Seizable.class, "held", boolean.class);
            WANTED = lookup.findVarHandle(Seizable.class, "wanted", boolean.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final AsymmetricFence fence;

    @SuppressWarnings("UnusedVariable") // both through the handles
    private boolean held;

    @SuppressWarnings("UnusedVariable")
    private boolean wanted;

    public Seizable(AsymmetricFence fence) {
        this.fence = fence;
    }

    /** By the owner. */
    public final void enter() {
        while (true) {
            HELD.setOpaque(this, true);
            fence.light();
            if (!(boolean) WANTED.getAcquire(this)) {
                return;
            }
            HELD.setRelease(this, false);
            awaitOthers();
        }
    }

    /** The thread that wants it has the monitor, and lowers the flag before it leaves the monitor. */
    private synchronized void awaitOthers() {
        assert !(boolean) WANTED.getOpaque(this) : "seized and not given back";
    }

    /** By the owner. */
    public final void leave() {
        HELD.setRelease(this, false);
    }

    /**
     * By any thread but the owner, with the monitor.
     *
     * @param patient whether to wait for an owner that is inside, which does not stay for long
     * @return false if the owner is inside
     */
    public final boolean seize(boolean patient) {
        WANTED.setVolatile(this, true);
        fence.heavy();
        while ((boolean) HELD.getAcquire(this)) {
            if (!patient) {
                yieldBack();
                return false;
            }
            Thread.yield();
        }
        return true;
    }

    /** Ends what {@link #seize} has begun. */
    public final void yieldBack() {
        WANTED.setRelease(this, false);
    }
}
