package org.galerna.link.support;

import org.galerna.link.LinkWaiter;
import org.galerna.link.process.ProcessFence;
import org.galerna.memory.Doorbell;

/** Sleep at a doorbell, for links whose peers ring it themselves. */
public final class DoorbellWaiter implements LinkWaiter {
    private final Doorbell doorbell = new Doorbell(ProcessFence.instance());

    /** Nobody sleeps. */
    public DoorbellWaiter() {}

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
