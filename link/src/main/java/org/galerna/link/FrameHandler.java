package org.galerna.link;

import java.lang.foreign.MemorySegment;

/** Takes what a {@link Link#poll} finds. Called by the polling thread. */
public interface FrameHandler {
    /**
     * A frame.
     *
     * @param peer rank that sent it
     * @param memory where it lies, this handler's until it returns
     * @param offset its first byte, aligned to 8 bytes
     * @param length its bytes
     */
    void onFrame(int peer, MemorySegment memory, long offset, int length);

    /** Nothing more will come from this peer, and nothing reaches it; called once, after its last frame. */
    void onPeerLost(int peer, String reason);
}
