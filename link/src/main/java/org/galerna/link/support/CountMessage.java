package org.galerna.link.support;

import java.lang.foreign.MemorySegment;

/**
 * A control message of a kind and a number of messages. Links need no other ones if their network makes the connections.
 *
 * @param kind of the message, from 1 on; each link has its own
 * @param messages altogether; 0 where it says nothing
 */
public record CountMessage(int kind, long messages) implements ControlOutbox.Message {
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

    /**
     * Reads one.
     *
     * @param kinds the highest kind that there is
     * @throws ProtocolException if there is something else
     */
    public static CountMessage read(MemorySegment memory, long at, int length, int kinds) throws ProtocolException {
        if (length != BYTES) {
            throw new ProtocolException("a control message of " + length + " bytes");
        }
        long kind = memory.get(Frames.LONG, at);
        long messages = memory.get(Frames.LONG, at + 8);
        if (kind < 1 || kind > kinds || messages < 0) {
            throw new ProtocolException("a control message of kind " + kind);
        }
        return new CountMessage((int) kind, messages);
    }
}
