package org.galerna.testkit.link;

import java.lang.foreign.MemorySegment;
import org.galerna.link.FrameHandler;

/** A handler that looks at nothing but who sent how much. */
record CountingHandler(Counter counter) implements FrameHandler {
    /** Told of each frame. */
    @FunctionalInterface
    interface Counter {
        void frame(int peer, int length);
    }

    @Override
    public void onFrame(int peer, MemorySegment memory, long offset, int length) {
        counter.frame(peer, length);
    }

    @Override
    public void onPeerLost(int peer, String reason) {
        // none of the tests that only count lets a peer go
    }
}
