package org.galerna.device.matching;

import org.galerna.device.CompletedSend;

/** The request of sends that are complete, and whose messages a {@link Gatherer} may still hold: who waits sends them. */
final class HeldSend extends CompletedSend {
    private final Gatherer gatherer;

    HeldSend(Gatherer gatherer) {
        this.gatherer = gatherer;
    }

    @Override
    public boolean test() {
        gatherer.flush();
        return true;
    }

    @Override
    public void await() {
        gatherer.flush();
    }
}
