package org.galerna.testkit.memdev;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.galerna.memory.Buffers;

/** A send whose receiver copies the bytes out of the sender's buffer. */
final class SendRequest extends MemoryRequest {
    private final MemorySegment bytes;

    SendRequest(MemoryDevice device, Object buffer, long offset, long length, int destination, int tag, int context) {
        super(device);
        MemorySegment part = Buffers.segment(buffer, offset, length);
        if (!part.scope().isAlive()) {
            throw new IllegalStateException("the memory of the buffer has been freed");
        }
        // the receiver's thread reads it
        this.bytes = Buffers.isSharedByThreads(part)
                ? part
                : Arena.ofAuto().allocate(length).copyFrom(part);
        this.peer = destination;
        this.tag = tag;
        this.context = context;
        this.length = length;
    }

    MemorySegment bytes() {
        return bytes;
    }

    @Override
    public boolean cancel() {
        return false;
    }

    @Override
    public void askToCancel() {
        device.letGo(this);
    }

    @Override
    public void release() {
        requireDone();
    }

    @Override
    public String operation() {
        return operation("send of " + length + " bytes to rank " + peer + ", tag " + tag);
    }

    @Override
    public int awaitedPeer() {
        return peer;
    }
}
