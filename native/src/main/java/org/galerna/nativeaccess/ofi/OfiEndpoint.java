package org.galerna.nativeaccess.ofi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.IntSupplier;
import org.galerna.nativeaccess.library.LibraryFunction;
import org.galerna.nativeaccess.memory.LockedMemoryLimit;
import org.jspecify.annotations.Nullable;

/**
 * Where one rank sends, receives, reads and writes: an endpoint for reliable datagrams with what belongs to it (fabric, domain,
 * table of addresses, completion queue). One thread at a time may use it, whichever; so the owner has a lock. Only {@link
 * #descriptor} and what is said of the endpoint is for other threads, too.
 *
 * <p>Addresses, contexts and results are numbers here, so that a short message allocates nothing. A call that starts an operation
 * returns 0 if it has, {@link #isBusy} says so of what is to be tried again, and everything else is a failure. A context is the
 * address of {@link #CONTEXT_BYTES} bytes that belong to the library until the operation is over.
 */
public final class OfiEndpoint implements AutoCloseable {
    /** Of a context. */
    public static final int CONTEXT_BYTES = OfiLayout.CONTEXT_BYTES;

    /** What {@link #poll} returns when an operation has failed: see {@link OfiCompletions#failedContext}. */
    public static final int FAILURE = -1;

    /** Longest address, in bytes. */
    private static final int MOST_ADDRESS_BYTES = 4096;

    /** Scheme of the provider that finds its peers in this process by their addresses in memory, which nothing keeps mapped. */
    private static final String SHARES_MEMORY = "fi_shm";

    private static final int ATTEMPTS = 3;
    private static final long ANYBODY = -1;
    private static final long NOWHERE = -1;
    private static final long DELIVERED = 1L << OfiLayout.BIT_DELIVERY_COMPLETE;
    private static final long ACCESS = 1L << OfiLayout.BIT_SEND
            | 1L << OfiLayout.BIT_RECEIVE
            | 1L << OfiLayout.BIT_READ
            | 1L << OfiLayout.BIT_WRITE
            | 1L << OfiLayout.BIT_REMOTE_READ
            | 1L << OfiLayout.BIT_REMOTE_WRITE;

    private final OfiLibrary library;
    private final OfiProvider provider;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment result = arena.allocate(ADDRESS);
    private final MemorySegment vector = arena.allocate(OfiLayout.ROOM, 8);
    private final MemorySegment vectorDescriptor = arena.allocate(JAVA_LONG);
    private final MemorySegment remoteMessage = arena.allocate(OfiLayout.ROOM, 8);
    private final MemorySegment remoteVector = arena.allocate(OfiLayout.ROOM, 8);
    private final OfiLimits limits;
    private final OfiObjects objects;
    private final long endpoint;
    private final LibraryFunction register;
    private final LibraryFunction read;
    private final LibraryFunction readError;
    private final LibraryFunction send;
    private final LibraryFunction inject;
    private final LibraryFunction receive;
    private final LibraryFunction readRemote;
    private final LibraryFunction writeRemote;
    private final LibraryFunction tryWait;
    private @Nullable SendMemory held; // until the first operation has been started
    private long keys;
    private boolean stopped;
    private boolean closed;

    private OfiEndpoint(OfiLibrary library, OfiProvider wanted, int peers) throws OfiException {
        this.library = library;
        boolean complete = false;
        try (Arena ofCall = Arena.ofConfined();
                OfiInfo first = library.find(ofCall, OfiInfo.hints(ofCall, wanted))) {
            OfiInfo info = choose(first, wanted);
            this.provider = info.provider();
            this.limits = OfiLimits.of(info);
            this.objects = new OfiObjects(library, info, limits, peers, result);
            this.endpoint = objects.endpoint;
            long domain = objects.domain;
            long queue = objects.queue;
            this.register = LibraryFunction.of(domain, OfiLayout.DOMAIN_MR, OfiLayout.DOMAIN_MR_REGISTER);
            this.read = LibraryFunction.of(queue, OfiLayout.CQ_OPERATIONS, OfiLayout.CQ_READ);
            this.readError = LibraryFunction.of(queue, OfiLayout.CQ_OPERATIONS, OfiLayout.CQ_READ_ERROR);
            this.send = LibraryFunction.of(endpoint, OfiLayout.EP_MESSAGES, OfiLayout.EP_SEND);
            this.inject = LibraryFunction.of(endpoint, OfiLayout.EP_MESSAGES, OfiLayout.EP_INJECT);
            this.receive = LibraryFunction.of(endpoint, OfiLayout.EP_MESSAGES, OfiLayout.EP_RECEIVE);
            this.readRemote = LibraryFunction.of(endpoint, OfiLayout.EP_RMA, OfiLayout.EP_READ);
            this.writeRemote = LibraryFunction.of(endpoint, OfiLayout.EP_RMA, OfiLayout.EP_WRITE_MESSAGE);
            this.tryWait = LibraryFunction.of(objects.fabric, OfiLayout.FABRIC_OPERATIONS, OfiLayout.FABRIC_TRY_WAIT);
            remoteMessage.set(JAVA_LONG, OfiLayout.RMA_VECTOR, vector.address());
            remoteMessage.set(JAVA_LONG, OfiLayout.RMA_DESCRIPTORS, vectorDescriptor.address());
            remoteMessage.set(JAVA_LONG, OfiLayout.RMA_COUNT, 1);
            remoteMessage.set(JAVA_LONG, OfiLayout.RMA_REMOTE_VECTOR, remoteVector.address());
            remoteMessage.set(JAVA_LONG, OfiLayout.RMA_REMOTE_COUNT, 1);
            if (sharesMemory()) {
                Departures.opened(this);
            }
            complete = true;
        } finally {
            if (!complete) {
                arena.close(); // all that can fail is before there are objects, or closes them
            }
        }
    }

    /**
     * Opens an endpoint.
     *
     * @param provider one of {@link OfiLibrary#providers}
     * @param peers number of peers that it will talk to, as a hint
     */
    public static OfiEndpoint open(OfiLibrary library, OfiProvider provider, int peers) throws OfiException {
        for (int attempt = 1; ; attempt++) {
            try {
                return new OfiEndpoint(library, provider, peers).holdingMemory();
            } catch (OfiException failed) {
                // its name may be that of a killed process with the same number, which the library frees as it refuses
                // it
                if (!failed.isBusy() || attempt == ATTEMPTS) {
                    throw failed;
                }
            }
        }
    }

    private OfiEndpoint holdingMemory() throws OfiException {
        boolean complete = false;
        try {
            held = SendMemory.isLimited(provider, limits) ? SendMemory.hold(this) : null;
            complete = true;
            return this;
        } finally {
            if (!complete) {
                close();
            }
        }
    }

    private static OfiInfo choose(OfiInfo first, OfiProvider wanted) throws OfiException {
        for (OfiInfo each = first.exists() ? first : null; each != null; each = each.next()) {
            if (each.provider().equals(wanted)) {
                return each;
            }
        }
        throw new OfiException("fi_getinfo", "there is no " + wanted + " any more");
    }

    private boolean sharesMemory() {
        return SHARES_MEMORY.equals("fi_" + provider.name());
    }

    // ---- what it is

    /** The provider that it is of. */
    public OfiProvider provider() {
        return provider;
    }

    /** Longest message that may be injected, in bytes. */
    public int injectBytes() {
        return limits.injectBytes();
    }

    /** Longest message, and most bytes that are read or written at once. */
    public int mostBytes() {
        return limits.mostBytes();
    }

    /** Whether a message never comes before what was written to its receiver before. */
    public boolean keepsOrder() {
        return limits.keepsOrder();
    }

    /** Sends that may be under way. */
    public int sends() {
        return limits.sends();
    }

    /** Receives that may be posted. */
    public int receives() {
        return limits.receives();
    }

    /** Whether memory that operations of this side use has to be registered. */
    public boolean needsLocalRegistration() {
        return limits.has(OfiLayout.MR_MODE_LOCAL);
    }

    boolean namesByAddress() {
        return limits.has(OfiLayout.MR_MODE_VIRTUAL);
    }

    /** A file descriptor that is readable when {@link #poll} may find something; −1 if there is none. */
    public int descriptor() {
        return objects.descriptor;
    }

    // ---- peers

    /** Where peers reach this endpoint. */
    public byte[] address() throws OfiException {
        try (Arena ofCall = Arena.ofConfined()) {
            MemorySegment name = ofCall.allocate(MOST_ADDRESS_BYTES, 8);
            MemorySegment length = ofCall.allocateFrom(JAVA_LONG, name.byteSize());
            library.check(
                    "fi_getname",
                    LibraryFunction.of(endpoint, OfiLayout.EP_MANAGEMENT, OfiLayout.EP_GET_NAME)
                            .call(endpoint, name.address(), length.address()));
            return Arrays.copyOf(name.toArray(JAVA_BYTE), (int) length.get(JAVA_LONG, 0));
        }
    }

    /** Enters the address of a peer; returns what operations call it. */
    public long connect(byte[] address) throws OfiException {
        try (Arena ofCall = Arena.ofConfined()) {
            MemorySegment copy = ofCall.allocate(Math.max(MOST_ADDRESS_BYTES, address.length), 8);
            MemorySegment.copy(address, 0, copy, JAVA_BYTE, 0, address.length);
            long count = LibraryFunction.of(objects.addresses, OfiLayout.AV_OPERATIONS, OfiLayout.AV_INSERT)
                    .call(objects.addresses, copy.address(), 1, result.address(), 0, 0);
            library.check("fi_av_insert", count);
            if ((int) count != 1 || result.get(JAVA_LONG, 0) == NOWHERE) {
                throw new OfiException("fi_av_insert", "the peer's address is not one of this provider");
            }
            return result.get(JAVA_LONG, 0);
        }
    }

    /** Removes the address of a peer that is gone. */
    public void disconnect(long peer) {
        result.set(JAVA_LONG, 0, peer);
        LibraryFunction.of(objects.addresses, OfiLayout.AV_OPERATIONS, OfiLayout.AV_REMOVE)
                .call(objects.addresses, result.address(), 1, 0);
    }

    // ---- memory

    /** Registers memory outside the heap, which must stay mapped as long as it is registered. */
    public OfiMemory register(long address, long length) throws OfiException {
        return register("fi_mr_reg (" + length + " bytes)", address, length);
    }

    OfiMemory register(String what, long address, long length) throws OfiException {
        long key = limits.has(OfiLayout.MR_MODE_PROVIDER_KEY) ? 0 : ++keys;
        library.check(what, register.call(objects.domain, address, length, ACCESS, 0, key, 0, result.address(), 0));
        long region = result.get(JAVA_LONG, 0);
        if (limits.has(OfiLayout.MR_MODE_ENDPOINT)) {
            long bound = LibraryFunction.of(region, OfiLayout.OPERATIONS, OfiLayout.BIND)
                    .call(region, endpoint, 0);
            long enabled = (int) bound < 0 ? bound : OfiObjects.control(region, OfiLayout.CONTROL_ENABLE, 0);
            if ((int) enabled < 0) {
                deregister(region);
                library.check("fi_mr_enable", enabled);
            }
        }
        return new OfiMemory(this, region, address, length);
    }

    void deregister(long region) {
        if (!closed) {
            long unused = OfiObjects.close(region);
        }
    }

    // ---- operations

    /** Posts memory for a message of anybody. */
    public int receive(long address, long length, long memory, long context) {
        return (int) receive.call(endpoint, address, length, memory, ANYBODY, context);
    }

    /** Sends a message. */
    public int send(long address, long length, long memory, long peer, long context) {
        int status = (int) send.call(endpoint, address, length, memory, peer, context);
        return held == null
                ? status
                : started(status, () -> (int) send.call(endpoint, address, length, memory, peer, context));
    }

    private int started(int status, IntSupplier operation) {
        SendMemory forSends = held;
        if (forSends == null) {
            return status;
        }
        int last = isBusy(status) ? forSends.startAgain(operation) : status;
        if (last == 0) {
            held = null;
            forSends.end();
        }
        return last;
    }

    /** Sends a short message, see {@link #injectBytes}, whose memory is the caller's again at once; nothing tells of its end. */
    public int inject(long address, long length, long peer) {
        return (int) inject.call(endpoint, address, length, peer);
    }

    /** Reads memory of a peer. */
    public int read(long address, long length, long memory, long peer, long remote, long key, long context) {
        int status = (int) readRemote.call(endpoint, address, length, memory, peer, remote, key, context, 0);
        return held == null
                ? status
                : started(status, () ->
                        (int) readRemote.call(endpoint, address, length, memory, peer, remote, key, context, 0));
    }

    /**
     * Writes memory of a peer.
     *
     * @param delivered whether it is over when the bytes are there, and not when they are on their way
     */
    public int write(
            long address, long length, long memory, long peer, long remote, long key, long context, boolean delivered) {
        vector.set(JAVA_LONG, OfiLayout.VECTOR_BASE, address);
        vector.set(JAVA_LONG, OfiLayout.VECTOR_LENGTH, length);
        vectorDescriptor.set(JAVA_LONG, 0, memory);
        remoteVector.set(JAVA_LONG, OfiLayout.REMOTE_BASE, remote);
        remoteVector.set(JAVA_LONG, OfiLayout.REMOTE_LENGTH, length);
        remoteVector.set(JAVA_LONG, OfiLayout.REMOTE_KEY, key);
        remoteMessage.set(JAVA_LONG, OfiLayout.RMA_ADDRESS, peer);
        remoteMessage.set(JAVA_LONG, OfiLayout.RMA_CONTEXT, context);
        long flags = delivered ? DELIVERED : 0;
        int status = (int) writeRemote.call(endpoint, remoteMessage.address(), flags);
        return held == null
                ? status
                : started(status, () -> (int) writeRemote.call(endpoint, remoteMessage.address(), flags));
    }

    /** Whether an operation that was not started has to be tried again, after {@link #poll}. */
    public static boolean isBusy(int status) {
        return status == -OfiLayout.AGAIN;
    }

    // ---- completions

    /** Makes progress and takes completions; returns their number, or {@link #FAILURE}. */
    public int poll(OfiCompletions completions) {
        int count = (int) read.call(objects.queue, completions.entries(), completions.capacity());
        if (count >= 0 || count == -OfiLayout.AGAIN) {
            return Math.max(count, 0);
        }
        return failure(completions, count);
    }

    private int failure(OfiCompletions completions, int status) {
        MemorySegment error = completions.error();
        error.fill((byte) 0);
        if (status == -OfiLayout.AVAILABLE && (int) readError.call(objects.queue, error.address(), 0) == 1) {
            return FAILURE;
        }
        return status == -OfiLayout.AVAILABLE ? 0 : status;
    }

    /** Whether it is right to sleep at the descriptor: {@link #poll} would find nothing that will not wake the sleeper. */
    public boolean maySleep() {
        result.set(JAVA_LONG, 0, objects.queue);
        return (int) tryWait.call(objects.fabric, result.address(), 1) == 0;
    }

    /** libfabric's words for a status or a failure, and how much memory may be locked, if it is for want of memory. */
    public String describe(int number) {
        return library.describe(number) + OfiException.hint(-Math.abs(number));
    }

    /** What a line may end with that says that a peer is not reached: how much memory may be locked, where it has to be. */
    public String lockedMemory() {
        return needsLocalRegistration() ? LockedMemoryLimit.hint() : "";
    }

    /**
     * Ends operations, so that the library touches their memory no more; where memory is registered with the endpoint, no longer
     * than it is registered, and where only calls of this side touch it, now that there are no more of them. Only {@link #close} and the end of registrations may follow. Idempotent.
     */
    public void stop() {
        if (!stopped && !sharesMemory() && !limits.has(OfiLayout.MR_MODE_ENDPOINT)) {
            stopped = true;
            objects.closeEndpoint();
        }
    }

    /**
     * Ends it, and all that belongs to it; its memory must be closed before. What other endpoints of this process may still use is freed
     * with them. Idempotent.
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        if (held != null) {
            held.end();
        }
        closed = true;
        if (sharesMemory()) {
            Departures.closed(this, objects::close);
        } else {
            objects.close();
        }
        arena.close();
    }
}
