package org.galerna.link.shm;

import java.lang.foreign.MemorySegment;
import org.galerna.link.Channel;

/** The channel to a peer that had left before anything was sent to it. */
record GoneChannel(int peer) implements Channel {
    @Override
    public long claim(int length) {
        return CLOSED;
    }

    @Override
    public MemorySegment memory() {
        return MemorySegment.NULL;
    }

    @Override
    public void commit(long claim, int length) {}

    @Override
    public void abort(long claim) {}

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
