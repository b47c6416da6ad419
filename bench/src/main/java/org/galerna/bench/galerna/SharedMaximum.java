package org.galerna.bench.galerna;

import java.util.concurrent.atomic.AtomicLong;

/** The largest of a number per rank, where the ranks are threads that share this object. */
final class SharedMaximum {
    private final AtomicLong bits = new AtomicLong();

    /**
     * Adds the caller's value, which is not negative.
     *
     * @param messenger the caller's, for a barrier
     * @return the largest on rank 0; the caller's own elsewhere
     */
    double over(Messenger messenger, double value) {
        // the bits of doubles that are not negative are ordered as their values
        bits.accumulateAndGet(Double.doubleToLongBits(value), Math::max);
        messenger.barrier();
        // nobody adds a value for the next command before rank 0 has passed that command's barrier
        return messenger.rank() == 0 ? Double.longBitsToDouble(bits.getAndSet(0)) : value;
    }
}
