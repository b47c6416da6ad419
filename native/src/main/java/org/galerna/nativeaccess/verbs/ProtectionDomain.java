package org.galerna.nativeaccess.verbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** What belongs together on an adapter: memory is reached through queue pairs of its own domain only. */
public final class ProtectionDomain implements AutoCloseable {
    private static final int ACCESS =
            VerbsLayout.ACCESS_LOCAL_WRITE | VerbsLayout.ACCESS_REMOTE_WRITE | VerbsLayout.ACCESS_REMOTE_READ;

    private final Adapter adapter;
    private final MemorySegment domain;
    private boolean closed; // guarded by this

    ProtectionDomain(Adapter adapter, MemorySegment domain) {
        this.adapter = adapter;
        this.domain = domain;
    }

    /**
     * Makes memory reachable for the adapter and for peers that know the key; locks it in place.
     *
     * @param address its first byte, outside the Java heap; must stay mapped as long as the region is open
     * @param length bytes, at least 1
     */
    public MemoryRegion register(long address, long length) throws VerbsException {
        MemorySegment region = adapter.library()
                .registerMemory
                .pointer(
                        adapter.name() + " (" + length + " bytes)",
                        domain,
                        MemorySegment.ofAddress(address),
                        length,
                        ACCESS);
        return new MemoryRegion(adapter, region, address, length);
    }

    /**
     * A receive queue that many queue pairs share.
     *
     * @param receives number of receives that it holds
     */
    public SharedReceiveQueue newSharedReceiveQueue(int receives) throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocate(VerbsLayout.SRQ_INIT_ATTR_BYTES, 8);
            attributes.set(JAVA_INT, VerbsLayout.SRQ_INIT_ATTR_MAX_WR, receives);
            attributes.set(JAVA_INT, VerbsLayout.SRQ_INIT_ATTR_MAX_SGE, 1);
            MemorySegment queue = adapter.library()
                    .createSharedReceiveQueue
                    .pointer(adapter.name() + " (" + receives + " receives)", domain, attributes);
            return new SharedReceiveQueue(adapter, queue);
        }
    }

    /**
     * A queue pair for a reliable connection, not connected yet.
     *
     * @param completions where its sends and receives complete
     * @param receives where it takes receives from
     * @param sends work requests that may be under way
     * @param inline bytes of a message that are taken at once, without a look at memory; an adapter may refuse
     */
    public QueuePair newQueuePair(CompletionQueue completions, SharedReceiveQueue receives, int sends, int inline)
            throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocate(VerbsLayout.QP_INIT_ATTR_BYTES, 8);
            attributes.set(ADDRESS, VerbsLayout.QP_INIT_ATTR_SEND_CQ, completions.address());
            attributes.set(ADDRESS, VerbsLayout.QP_INIT_ATTR_RECV_CQ, completions.address());
            attributes.set(ADDRESS, VerbsLayout.QP_INIT_ATTR_SRQ, receives.address());
            attributes.set(JAVA_INT, VerbsLayout.QP_INIT_ATTR_MAX_SEND_WR, sends);
            attributes.set(JAVA_INT, VerbsLayout.QP_INIT_ATTR_MAX_SEND_SGE, 1);
            attributes.set(JAVA_INT, VerbsLayout.QP_INIT_ATTR_MAX_INLINE, inline);
            attributes.set(JAVA_INT, VerbsLayout.QP_INIT_ATTR_TYPE, VerbsLayout.QP_TYPE_RC);
            MemorySegment pair = adapter.library()
                    .createQueuePair
                    .pointer(
                            adapter.name() + " (" + sends + " sends, " + inline + " bytes inline)", domain, attributes);
            return new QueuePair(adapter, pair, attributes.get(JAVA_INT, VerbsLayout.QP_INIT_ATTR_MAX_INLINE));
        }
    }

    /** Ends it; everything that was made of it must be closed before. Idempotent. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            adapter.library().freeDomain.ignoringFailure(domain);
        }
    }
}
