package org.galerna.link.ofi.wire;

import java.lang.foreign.MemorySegment;
import org.galerna.link.support.CountMessage;
import org.galerna.link.support.ProtocolException;

/**
 * What ranks say to each other about coming and going; over the control link, whose connections have proved to belong to the job.
 * A rank that leaves says how many messages it has sent.
 */
public final class ControlMessage {
    /** The sender leaves the job, and has sent so many messages. */
    public static final int LEAVING = 1;

    /** All messages of the receiver, who leaves, have come. */
    public static final int RECEIVED = 2;

    /** The sender has lost the receiver. */
    public static final int LOST = 3;

    /** The receiver is to look at what has come for it. */
    public static final int ROUSE = 4;

    /** The receiver is to say that it is there. */
    public static final int ASK = 5;

    /** The sender is there. */
    public static final int HERE = 6;

    private ControlMessage() {}

    public static CountMessage of(int kind) {
        return new CountMessage(kind, 0);
    }

    public static CountMessage leaving(long messages) {
        return new CountMessage(LEAVING, messages);
    }

    public static CountMessage read(MemorySegment memory, long at, int length) throws ProtocolException {
        return CountMessage.read(memory, at, length, HERE);
    }
}
