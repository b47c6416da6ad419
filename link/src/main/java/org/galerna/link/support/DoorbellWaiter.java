package org.galerna.link.support;

import org.galerna.link.LinkWaiter;
import org.galerna.memory.AsymmetricFence;
import org.galerna.memory.Doorbell;

/** Sleep at a doorbell, for links whose peers ring it themselves. */
public final class DoorbellWaiter implements LinkWaiter {
    private final Doorbell doorbell;

    /**
     * Nobody sleeps.
     *
     * @param fence between those who sleep and those who ring
     */
    public DoorbellWaiter(AsymmetricFence fence) {
        this.doorbell = new Doorbell(fence);
    }

    @Override
    public void prepare() {
        doorbell.prepare();
    }

    @Override
    public void await(long nanos) {
        doorbell.sleep(nanos);
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
