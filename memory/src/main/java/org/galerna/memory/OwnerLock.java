package org.galerna.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A lock that costs its first user no atomic operation until a second thread comes.
 *
 * <p>Most programs communicate from one thread per rank, and a compare-and-set on every message would drain the store
 * buffer and with it the overlap of consecutive messages; but any thread may come at any time. So the first thread
 * that locks becomes the owner and locks with two plain stores. The first other thread revokes that for ever: it raises
 * {@code shared}, passes the heavy side of an {@link AsymmetricFence}, waits until the owner is outside, and from then
 * on everybody uses an ordinary lock.
 *
 * <p>Argument. The owner stores {@code held}, passes the light fence and loads {@code shared}; the revoker stores
 * {@code shared}, passes the heavy fence and loads {@code held}. By the fence's property at least one of them sees the
 * other's store. If the owner sees {@code shared}, it retreats and takes the ordinary lock. Otherwise the revoker sees
 * {@code held} and waits for the release store that clears it, which it reads with acquire, so that everything done
 * inside happens before what the revoker does. A revoker never lowers {@code shared}, and after it is raised the
 * owner can only hold {@code held} for the few instructions of its retreat.
 *
 * <p>A {@linkplain #visitedBy visitor} is a thread that comes seldom, as one that helps while the owner sleeps. It holds the
 * ordinary lock, raises {@code shared}, waits for the owner as the revoker does, and lowers {@code shared} again before it gives
 * the ordinary lock back. An owner that finds {@code shared} raised waits for the ordinary lock, and has it while it raises
 * {@code held} once more: nobody else looks at {@code held} without it, so that the next one finds it. If the owner reads the
 * lowered {@code shared}, it has what the visitor did. If it reads an older value, which is low, too,
 * it has raised {@code held} before the visitor's heavy fence, and the visitor waits for it.
 *
 * <p>Not reentrant. Critical sections must be short and must not block.
 */
public final class OwnerLock {
    private static final VarHandle OWNER;
    private static final VarHandle HELD;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            OWNER = lookup.findVarHandle(OwnerLock.class, "owner", Thread.class);
            HELD = lookup.findVarHandle(OwnerLock.class, "held", boolean.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final AsymmetricFence fence;
    private final ReentrantLock mutex = new ReentrantLock();
    private @Nullable Thread owner;
    private boolean held;
    private volatile boolean shared;
    private boolean revoked; // guarded by the mutex
    private volatile @Nullable Thread visitor;

    /** A lock without an owner. */
    public OwnerLock(AsymmetricFence fence) {
        this.fence = fence;
    }

    /** Has a thread, which comes seldom, leave the lock to its owner each time; before that thread locks for the first time. */
    public void visitedBy(Thread thread) {
        visitor = thread;
    }

    /** Locks; waits for another thread's critical section if need be. */
    public void lock() {
        // a racy read: only this thread itself can have made it equal to this thread
        if (Thread.currentThread() != owner || !enterAsOwner()) {
            lockShared();
        }
    }

    /** Locks if that needs no waiting. */
    public boolean tryLock() {
        if (Thread.currentThread() == owner && enterAsOwner()) {
            return true;
        }
        if (!shared) {
            lockShared();
            return true;
        }
        if (!mutex.tryLock()) {
            return false;
        }
        takeFromOwner();
        return true;
    }

    /** Locks if the calling thread is the only one that ever did. */
    public boolean tryLockAsOwner() {
        return Thread.currentThread() == owner && enterAsOwner();
    }

    private boolean enterAsOwner() {
        HELD.setOpaque(this, true);
        fence.light();
        if (shared) {
            HELD.setRelease(this, false);
            return false;
        }
        return true;
    }

    private void lockShared() {
        if (Thread.currentThread() != visitor && !shared && becomeOwner()) {
            return;
        }
        mutex.lock();
        takeFromOwner();
    }

    /** The calling thread has the mutex. Afterwards it has the lock, and keeps the mutex only if it is not the owner. */
    private void takeFromOwner() {
        Thread self = Thread.currentThread();
        boolean visits = self == visitor;
        if (!revoked) {
            if (self == owner || (!visits && OWNER.compareAndSet(this, null, self))) { // a visitor has been here
                HELD.setOpaque(this, true);
                mutex.unlock();
                return;
            }
            revoked = !visits;
            shared = true;
            fence.heavy();
        }
        while ((boolean) HELD.getAcquire(this)) {
            Thread.yield();
        }
    }

    private boolean becomeOwner() {
        return OWNER.compareAndSet(this, null, Thread.currentThread()) && enterAsOwner();
    }

    /** Unlocks; the calling thread must hold the lock. */
    public void unlock() {
        if (held && Thread.currentThread() == owner) {
            HELD.setRelease(this, false);
        } else {
            if (!revoked) { // a visitor
                shared = false;
            }
            mutex.unlock();
        }
    }

    /** True once a second thread has come, and while a visitor is here. */
    public boolean isShared() {
        return shared;
    }
}
