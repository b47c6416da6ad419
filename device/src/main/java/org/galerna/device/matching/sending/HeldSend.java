package org.galerna.device.matching.sending;

import org.galerna.device.CompletedSend;

/** The request of sends that are complete, and whose messages a {@code Coalescer} may still hold: who waits sends them. */
public final class HeldSend extends CompletedSend {
    private final Runnable flush;

    HeldSend(Runnable flush) {
        this.flush = flush;
    }

    @Override
    public boolean test() {
        flush.run();
        return true;
    }

    @Override
    public void await() {
        flush.run();
    }
}
