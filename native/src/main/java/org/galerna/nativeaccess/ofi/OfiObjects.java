package org.galerna.nativeaccess.ofi;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.galerna.nativeaccess.library.LibraryFunction;
import org.galerna.nativeaccess.library.NativeLibrary;

/**
 * The objects of the library that an {@link OfiEndpoint} consists of. They are opened from the ground up, and closed in the opposite
 * order.
 */
final class OfiObjects {
    private final OfiLibrary library;
    private final MemorySegment result;
    private final long[] opened = new long[5];
    private int openedCount;
    final long fabric;
    final long domain;

    /** The table of addresses. */
    final long addresses;

    /** The completion queue. */
    final long queue;

    /** Readable when the queue may have something; −1 if there is none. */
    final int descriptor;

    final long endpoint;

    /**
     * Opens them.
     *
     * @param result where calls put their results, which stays the caller's
     * @param peers number of addresses, as a hint
     */
    OfiObjects(OfiLibrary library, OfiInfo info, OfiLimits limits, int peers, MemorySegment result)
            throws OfiException {
        this.library = library;
        this.result = result;
        boolean complete = false;
        try (Arena ofCall = Arena.ofConfined()) {
            this.fabric = made(
                    "fi_fabric",
                    NativeLibrary.keepingSignals(
                            () -> library.openFabric.call(info.number(OfiLayout.INFO_FABRIC), result.address(), 0)));
            this.domain = made(
                    "fi_domain",
                    LibraryFunction.of(fabric, OfiLayout.FABRIC_OPERATIONS, OfiLayout.FABRIC_DOMAIN)
                            .call(fabric, info.address(), result.address(), 0));
            MemorySegment wantedTable = ofCall.allocate(OfiLayout.ROOM, 8);
            wantedTable.set(JAVA_LONG, OfiLayout.AV_COUNT, peers);
            this.addresses = made(
                    "fi_av_open",
                    LibraryFunction.of(domain, OfiLayout.DOMAIN_OPERATIONS, OfiLayout.DOMAIN_AV_OPEN)
                            .call(domain, wantedTable.address(), result.address(), 0));
            MemorySegment wantedQueue = ofCall.allocate(OfiLayout.ROOM, 8);
            wantedQueue.set(JAVA_LONG, OfiLayout.CQ_SIZE, (long) limits.sends() + limits.receives());
            wantedQueue.set(JAVA_INT, OfiLayout.CQ_FORMAT, OfiLayout.CQ_FORMAT_DATA);
            long waitable = openQueue(wantedQueue, OfiLayout.WAIT_DESCRIPTOR);
            boolean waits = (int) waitable >= 0;
            this.queue = made("fi_cq_open", waits ? waitable : openQueue(wantedQueue, OfiLayout.WAIT_NONE));
            this.descriptor = waits ? waitDescriptor() : -1;
            this.endpoint = made(
                    "fi_endpoint",
                    LibraryFunction.of(domain, OfiLayout.DOMAIN_OPERATIONS, OfiLayout.DOMAIN_ENDPOINT)
                            .call(domain, info.address(), result.address(), 0));
            LibraryFunction bind = LibraryFunction.of(endpoint, OfiLayout.OPERATIONS, OfiLayout.BIND);
            library.check("fi_ep_bind", bind.call(endpoint, addresses, 0));
            library.check(
                    "fi_ep_bind", bind.call(endpoint, queue, 1L << OfiLayout.BIT_SEND | 1L << OfiLayout.BIT_RECEIVE));
            library.check("fi_enable", control(endpoint, OfiLayout.CONTROL_ENABLE, 0));
            complete = true;
        } finally {
            if (!complete) {
                close();
            }
        }
    }

    /** The object that a call has made, which {@link #close} closes. */
    private long made(String call, long status) throws OfiException {
        library.check(call, status);
        long object = result.get(JAVA_LONG, 0);
        opened[openedCount++] = object;
        return object;
    }

    private long openQueue(MemorySegment wanted, int waitObject) {
        wanted.set(JAVA_INT, OfiLayout.CQ_WAIT_OBJECT, waitObject);
        return LibraryFunction.of(domain, OfiLayout.DOMAIN_OPERATIONS, OfiLayout.DOMAIN_CQ_OPEN)
                .call(domain, wanted.address(), result.address(), 0);
    }

    private int waitDescriptor() {
        int status = (int) control(queue, OfiLayout.CONTROL_GET_WAIT, result.address());
        return status < 0 ? -1 : result.get(JAVA_INT, 0);
    }

    static long control(long object, int command, long argument) {
        return LibraryFunction.of(object, OfiLayout.OPERATIONS, OfiLayout.CONTROL)
                .call(object, command, argument);
    }

    /** Closes an object of the library, whatever it is; returns the status. */
    static long close(long object) {
        return LibraryFunction.of(object, OfiLayout.OPERATIONS, OfiLayout.CLOSE).call(object);
    }

    /** Closes the endpoint, and nothing else. */
    void closeEndpoint() {
        openedCount--;
        long unused = close(endpoint);
    }

    /** Closes all that are open. */
    void close() {
        while (openedCount > 0) {
            long unused = close(opened[--openedCount]);
        }
    }
}
