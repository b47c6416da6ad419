package org.galerna.link.transfer;

import java.lang.foreign.MemorySegment;
import org.galerna.link.support.ProtocolException;

/** Takes frames of peers about transfers. The polling thread's. */
public interface TransferFrames {
    /** A frame of a peer's about a transfer. */
    void onFrame(TransferPeer from, MemorySegment memory, long at, int length) throws ProtocolException;
}
