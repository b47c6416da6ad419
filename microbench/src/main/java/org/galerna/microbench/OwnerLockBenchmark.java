package org.galerna.microbench;

import java.util.concurrent.locks.ReentrantLock;
import org.galerna.link.process.ProcessFence;
import org.galerna.memory.OwnerLock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A lock that nobody contends for, around one addition. Judges the lock that its first owner holds with plain stores. With
 * {@code storeMisses} a store to a line that is not in the cache precedes each, as that of a message does: a
 * compare-and-set has to wait for it, a plain store does not.
 */
@State(Scope.Thread)
public class OwnerLockBenchmark extends Microbenchmark {
    private OwnerLock owned;
    private OwnerLock revoked;
    private final ReentrantLock reentrant = new ReentrantLock();
    private final Object monitor = new Object();
    private long count;

    /** One lock without an owner, one whose owner has lost it. */
    @Setup
    public void create() throws InterruptedException {
        owned = new OwnerLock(ProcessFence.instance());
        revoked = new OwnerLock(ProcessFence.instance());
        for (int times = 0; times < 2; times++) {
            Thread.ofPlatform().start(this::useRevoked).join();
        }
    }

    private void useRevoked() {
        revoked.lock();
        revoked.unlock();
    }

    /** Held by its owner. */
    @Benchmark
    public long owned(Stores stores) {
        stores.store();
        owned.lock();
        try {
            return ++count;
        } finally {
            owned.unlock();
        }
    }

    /** After a second thread has come: an ordinary lock behind a look at who owns it. */
    @Benchmark
    public long revoked(Stores stores) {
        stores.store();
        revoked.lock();
        try {
            return ++count;
        } finally {
            revoked.unlock();
        }
    }

    /** The ordinary lock alone. */
    @Benchmark
    public long reentrantLock(Stores stores) {
        stores.store();
        reentrant.lock();
        try {
            return ++count;
        } finally {
            reentrant.unlock();
        }
    }

    /** The language's own. */
    @Benchmark
    public long synchronizedBlock(Stores stores) {
        stores.store();
        synchronized (monitor) {
            return ++count;
        }
    }

    /** No lock at all. */
    @Benchmark
    public long none(Stores stores) {
        stores.store();
        return ++count;
    }

    /** What was measured must be what the names say. */
    @TearDown
    public void check() {
        if (owned.isShared() || !revoked.isShared()) {
            throw new IllegalStateException("the benchmark's thread has changed, or the lock was not revoked");
        }
    }
}
