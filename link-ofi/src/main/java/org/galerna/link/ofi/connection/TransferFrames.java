package org.galerna.link.ofi.connection;

import java.lang.foreign.MemorySegment;
import org.galerna.link.ofi.wire.ProtocolException;

/** Takes frames of peers about transfers. The polling thread's. */
public interface TransferFrames {
    /** A frame of a peer's about a transfer. */
    void onFrame(Peer from, MemorySegment memory, long at, int length) throws ProtocolException;
}
