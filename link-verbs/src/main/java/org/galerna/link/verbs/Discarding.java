package org.galerna.link.verbs;

import java.lang.foreign.MemorySegment;
import org.galerna.link.FrameHandler;

/** Takes what nobody is interested in any more, since this rank has left. */
enum Discarding implements FrameHandler {
    INSTANCE;

    @Override
    public void onFrame(int peer, MemorySegment memory, long offset, int length) {
        // nobody waits for it
    }

    @Override
    public void onPeerLost(int peer, String reason) {
        // nobody cares who else leaves
    }
}
