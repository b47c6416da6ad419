package org.galerna.nativeaccess.ofi;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import org.galerna.nativeaccess.memory.RawMemory;
import org.galerna.nativeaccess.memory.RegisteredMemory;

/** Memory that is registered with an {@link OfiEndpoint}. */
public final class OfiMemory implements RegisteredMemory {
    private final OfiEndpoint endpoint;
    private final long region;
    private final long address;
    private final long length;
    private final long descriptor;
    private final long key;
    private boolean closed; // guarded by this

    OfiMemory(OfiEndpoint endpoint, long region, long address, long length) {
        this.endpoint = endpoint;
        this.region = region;
        this.address = address;
        this.length = length;
        this.descriptor = RawMemory.ALL.get(JAVA_LONG, region + OfiLayout.MR_DESCRIPTOR);
        this.key = RawMemory.ALL.get(JAVA_LONG, region + OfiLayout.MR_KEY);
    }

    @Override
    public long address() {
        return address;
    }

    @Override
    public long length() {
        return length;
    }

    /** By which operations of this side name it. */
    public long descriptor() {
        return descriptor;
    }

    /** By which operations of peers name it. */
    public long key() {
        return key;
    }

    /** How operations of peers name a place in it. */
    public long remoteAddress(long place) {
        return endpoint.namesByAddress() ? place : place - address;
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            endpoint.deregister(region);
        }
    }
}
