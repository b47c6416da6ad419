package org.galerna.link.transfer;

import java.lang.foreign.MemorySegment;
import org.galerna.link.FrameHandler;
import org.galerna.link.support.Frames;
import org.galerna.link.support.ProtocolException;

/** Takes the messages of one peer apart, and hands their frames over. The polling thread's. */
public abstract class InboundMessages {
    private final int peer;
    private final int slotBytes;
    private MemorySegment memory = MemorySegment.NULL;
    private long at;
    private long end;
    private boolean open;

    /** @param slotBytes no message is longer */
    protected InboundMessages(int peer, int slotBytes) {
        this.peer = peer;
        this.slotBytes = slotBytes;
    }

    /** Whether something has come that is not handed over. */
    public final boolean hasMore() {
        return open || hasNext();
    }

    /**
     * Hands at most so many frames over; their number. Frames about transfers do not count.
     *
     * @throws ProtocolException if the peer has sent something that is no message of frames
     */
    public final int deliver(FrameHandler handler, TransferFrames transfers, TransferPeer from, int limit)
            throws ProtocolException {
        int handled = 0;
        while (handled < limit && (open || next())) {
            long header = memory.get(Frames.LONG, at);
            int type = Frames.type(header);
            int length = Frames.length(header);
            long frame = at + Frames.HEADER_BYTES;
            if (length > end - frame || (type != Frames.FRAME && type != Frames.TRANSFER)) {
                throw new ProtocolException("a frame of type " + type + " with " + length + " bytes, in a message with "
                        + (end - frame) + " left");
            }
            at += Frames.bytes(length);
            try {
                if (type == Frames.FRAME) {
                    handled++;
                    handler.onFrame(peer, memory, frame, length);
                } else {
                    transfers.onFrame(from, memory, frame, length);
                }
            } finally {
                if (at >= end) {
                    finish();
                }
            }
        }
        return handled;
    }

    /** Whether a message is there. */
    protected abstract boolean hasNext();

    /** Takes the next message and says by {@link #open} where it is; false if there is none. */
    protected abstract boolean next() throws ProtocolException;

    /** The next message is that. */
    protected final void open(MemorySegment message, long offset, int length) throws ProtocolException {
        memory = message;
        at = offset;
        end = offset + length;
        open = true;
        if (length < Frames.HEADER_BYTES || length > slotBytes) {
            finish();
            throw new ProtocolException("a message of " + length + " bytes");
        }
    }

    /** Is done with the message that is open, if one is. */
    protected final void finish() {
        if (open) {
            open = false;
            free();
        }
    }

    /** The memory of the message that was open is wanted no more. */
    protected abstract void free();
}
