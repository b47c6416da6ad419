package org.galerna.link.ucx;

import java.lang.foreign.MemorySegment;
import org.galerna.link.support.ControlOutbox;
import org.galerna.link.support.Frames;
import org.galerna.link.support.ProtocolException;

/**
 * What ranks say to each other over the control link.
 *
 * @param messages altogether
 */
record ControlMessage(int kind, long messages) implements ControlOutbox.Message {
    /** The sender leaves, and has sent so many messages. */
    static final int LEAVING = 1;

    /** The sender's program has taken so many messages of the receiver. */
    static final int TAKEN = 2;

    private static final int BYTES = 16;

    @Override
    public int bytes() {
        return BYTES;
    }

    @Override
    public void write(MemorySegment memory, long at) {
        memory.set(Frames.LONG, at, kind);
        memory.set(Frames.LONG, at + 8, messages);
    }

    static ControlMessage read(MemorySegment memory, long at, int length) throws ProtocolException {
        if (length != BYTES) {
            throw new ProtocolException("a control message of " + length + " bytes");
        }
        long kind = memory.get(Frames.LONG, at);
        long messages = memory.get(Frames.LONG, at + 8);
        if (kind < LEAVING || kind > TAKEN || messages < 0) {
            throw new ProtocolException("a control message of kind " + kind);
        }
        return new ControlMessage((int) kind, messages);
    }
}
