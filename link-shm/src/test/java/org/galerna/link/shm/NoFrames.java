package org.galerna.link.shm;

import java.lang.foreign.MemorySegment;
import org.galerna.link.FrameHandler;

/** Expects nothing. */
enum NoFrames implements FrameHandler {
    INSTANCE;

    @Override
    public void onFrame(int peer, MemorySegment memory, long offset, int length) {
        throw new AssertionError("a frame of " + length + " bytes from rank " + peer);
    }

    @Override
    public void onPeerLost(int peer, String reason) {
        throw new AssertionError("rank " + peer + " is lost: " + reason);
    }
}
