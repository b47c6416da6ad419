package org.galerna.link.ofi;

import org.galerna.link.LinkWaiter;
import org.galerna.link.ofi.adapter.Engine;
import org.galerna.link.support.DescriptorWaiter;
import org.galerna.link.support.DoorbellWaiter;

/** Where the threads of a rank sleep: at the descriptor of the completion queue, if the provider has one. */
final class OfiWaiters {
    /** How long a thread sleeps before it looks by itself, where the provider tells nothing. */
    private static final long SLICE_NANOS = 100_000;

    private OfiWaiters() {}

    static LinkWaiter at(String name, Engine engine) {
        int descriptor = engine.endpoint().descriptor();
        return descriptor < 0
                ? new Slices(new DoorbellWaiter())
                : new DescriptorWaiter(name, new Source(descriptor, engine));
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

    private record Slices(DoorbellWaiter waiter) implements LinkWaiter {
        @Override
        public void prepare() {
            waiter.prepare();
        }

        @Override
        public void await(long nanos) {
            waiter.await(Math.min(nanos, SLICE_NANOS));
        }

        @Override
        public void cancel() {
            waiter.cancel();
        }

        @Override
        public void wakeUp() {
            waiter.wakeUp();
        }
    }
}
