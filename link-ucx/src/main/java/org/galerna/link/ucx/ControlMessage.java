package org.galerna.link.ucx;

import java.lang.foreign.MemorySegment;
import org.galerna.link.support.CountMessage;
import org.galerna.link.support.ProtocolException;

/** What ranks say to each other over the control link, with a number of messages altogether. */
final class ControlMessage {
    /** The sender leaves, and has sent so many messages. */
    static final int LEAVING = 1;

    /** The sender's program has taken so many messages of the receiver. */
    static final int TAKEN = 2;

    private ControlMessage() {}

    static CountMessage read(MemorySegment memory, long at, int length) throws ProtocolException {
        return CountMessage.read(memory, at, length, TAKEN);
    }
}
