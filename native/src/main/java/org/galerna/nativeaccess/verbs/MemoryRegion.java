package org.galerna.nativeaccess.verbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;
import org.galerna.nativeaccess.memory.RegisteredMemory;

/** Memory that the adapter can reach, locked in place until this is closed. */
public final class MemoryRegion implements RegisteredMemory {
    private final Adapter adapter;
    private final MemorySegment region;
    private final long address;
    private final long length;
    private final int localKey;
    private final int remoteKey;
    private boolean closed; // guarded by this

    MemoryRegion(Adapter adapter, MemorySegment region, long address, long length) {
        this.adapter = adapter;
        this.region = NativeFunction.sized(region, VerbsLayout.MR_BYTES);
        this.address = address;
        this.length = length;
        this.localKey = this.region.get(JAVA_INT, VerbsLayout.MR_LKEY);
        this.remoteKey = this.region.get(JAVA_INT, VerbsLayout.MR_RKEY);
    }

    @Override
    public long address() {
        return address;
    }

    @Override
    public long length() {
        return length;
    }

    /** The key by which work requests of this process name it. */
    public int localKey() {
        return localKey;
    }

    /** The key by which peers name it. */
    public int remoteKey() {
        return remoteKey;
    }

    /** Lets the memory go; no work request may use it any more. Idempotent. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            adapter.library().deregisterMemory.ignoringFailure(region);
        }
    }
}
