package org.galerna.link.ofi;

import java.util.concurrent.locks.LockSupport;
import org.galerna.link.LinkWaiter;
import org.galerna.link.ofi.adapter.Engine;
import org.galerna.link.process.ProcessFence;
import org.galerna.link.support.DescriptorWaiter;
import org.galerna.memory.Doorbell;

/** Where the threads of a rank sleep: at the descriptor of the completion queue, if the provider has one. */
final class OfiWaiters {
    /** How long a thread sleeps before it looks by itself, where the provider tells nothing. */
    private static final long SLICE_NANOS = 100_000;

    private OfiWaiters() {}

    static LinkWaiter at(String name, Engine engine) {
        int descriptor = engine.endpoint().descriptor();
        return descriptor < 0 ? new Slices(engine) : new DescriptorWaiter(name, new Source(descriptor, engine));
    }

    /** Ends all sleeps. */
    static void close(LinkWaiter waiter) {
        if (waiter instanceof DescriptorWaiter atDescriptor) {
            atDescriptor.close();
        } else {
            waiter.wakeUp();
        }
    }

    private record Source(@Override int descriptor, Engine engine) implements DescriptorWaiter.Source {
        @Override
        public boolean maySleep() {
            return engine.maySleep();
        }
    }

    /** Sleeps where nobody tells the rank that something has come: a sleeper looks by itself now and then. */
    private static final class Slices implements LinkWaiter {
        private final Engine engine;
        private final Doorbell doorbell = new Doorbell(ProcessFence.instance());

        Slices(Engine engine) {
            this.engine = engine;
        }

        @Override
        public void prepare() {
            doorbell.prepare();
        }

        @Override
        public void await(long nanos) {
            long end = System.nanoTime() + nanos;
            long left = nanos;
            while (left > 0 && doorbell.isPrepared() && !Thread.currentThread().isInterrupted()) {
                LockSupport.parkNanos(this, Math.min(left, SLICE_NANOS));
                if (engine.progress() > 0) {
                    break;
                }
                left = end - System.nanoTime();
            }
            doorbell.cancel();
        }

        @Override
        public void cancel() {
            doorbell.cancel();
        }

        @Override
        public void wakeUp() {
            doorbell.ring();
        }
    }
}
