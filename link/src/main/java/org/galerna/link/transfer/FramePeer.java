package org.galerna.link.transfer;

import org.galerna.link.FrameHandler;

/** A peer whose frames come in messages that a completion tells of. */
public interface FramePeer extends TransferPeer {
    /** Messages of frames that have come. Any thread. */
    long received();

    /** Whether something has come that is not handed over. The polling thread's, as the next one. */
    boolean hasInbound();

    /** Hands at most so many frames over; their number. */
    int deliver(FrameHandler handler, TransferFrames transfers, int limit);
}
