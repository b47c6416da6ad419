package org.galerna.link.ofi.wire;

import java.lang.foreign.MemorySegment;
import org.galerna.link.support.ControlOutbox;
import org.galerna.link.support.Frames;
import org.galerna.link.support.ProtocolException;

/**
 * What ranks say to each other about coming and going; over the control link, whose connections have proved to belong to the job.
 *
 * @param messages of a rank that leaves: how many it has sent
 */
public record ControlMessage(int kind, long messages) implements ControlOutbox.Message {
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

    public static final int BYTES = 16;

    public static ControlMessage of(int kind) {
        return new ControlMessage(kind, 0);
    }

    @Override
    public int bytes() {
        return BYTES;
    }

    @Override
    public void write(MemorySegment memory, long at) {
        memory.set(Frames.LONG, at, kind);
        memory.set(Frames.LONG, at + 8, messages);
    }

    public static ControlMessage read(MemorySegment memory, long at, int length) throws ProtocolException {
        if (length != BYTES) {
            throw new ProtocolException("a control message of " + length + " bytes");
        }
        long kind = memory.get(Frames.LONG, at);
        long messages = memory.get(Frames.LONG, at + 8);
        if (kind < LEAVING || kind > HERE || messages < 0) {
            throw new ProtocolException("a control message of kind " + kind);
        }
        return new ControlMessage((int) kind, messages);
    }
}
