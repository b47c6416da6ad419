package org.galerna.nativeaccess.ucx;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * Where one rank sends, receives and matches: a context and a worker of UCX. One thread at a time may use it, whichever; so the
 * owner has a lock. Only {@link #descriptor} is for other threads, too.
 *
 * <p>Addresses and requests are numbers here, so that a short message allocates nothing. A call that starts an operation returns
 * 0 if it is complete, a negative status if it has failed, or else a request, which is asked by {@link #status} and given back by
 * {@link #free}.
 */
public final class UcxWorker implements AutoCloseable {
    /** Of a request that is not complete. */
    public static final int IN_PROGRESS = UcxLayout.IN_PROGRESS;

    /** Of a request that has succeeded. */
    public static final int OK = UcxLayout.OK;

    /** Of a receive that has been taken back. */
    public static final int CANCELLED = UcxLayout.CANCELLED;

    private static final long SETTLE_NANOS = 1_000_000_000L;
    private static final long PAUSE_NANOS = 20_000;
    private static final MethodHandle FAILED;

    static {
        try {
            FAILED = MethodHandles.lookup()
                    .findVirtual(
                            UcxWorker.class,
                            "failed",
                            MethodType.methodType(void.class, long.class, long.class, byte.class));
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final UcxLibrary library;
    private final Failures failures;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment result = arena.allocate(ADDRESS);
    private final MemorySegment info = arena.allocate(UcxLayout.INFO_BYTES, 8);
    private final long parameters = arena.allocate(UcxLayout.ROOM, 8).address(); // nothing asked for
    private final long errorHandler;
    private final long context;
    private final long worker;
    private final int descriptor;
    private final long requestBytes; // a multiple of 64
    private boolean abandoned;
    private boolean closed;

    /** What it is used for. */
    private enum Use {
        TAGS(UcxLayout.FEATURE_TAG),
        MESSAGES_AND_MEMORY(UcxLayout.FEATURE_MESSAGES | UcxLayout.FEATURE_RMA);

        private final int features;

        Use(int features) {
            this.features = features;
        }
    }

    /** Takes note that the way to a peer is broken; called inside {@link #progress} and other calls of the worker. */
    @FunctionalInterface
    public interface Failures {
        /** The way to that peer is broken, for a reason in UCX's words. */
        void failed(int peer, String reason);
    }

    private UcxWorker(
            UcxLibrary library, Use use, Failures failures, int peers, long senderMask, Map<String, String> settings)
            throws UcxException {
        this.library = library;
        this.failures = failures;
        this.errorHandler = errorHandler();
        boolean opened = false;
        try {
            this.context = createContext(use, peers, senderMask, settings);
            try {
                if (LockedMemory.isShort()) {
                    LockedMemory.refuse(UcxTransports.of(library, context));
                }
                this.requestBytes = requestBytes();
                this.worker = createWorker();
                library.check("ucp_worker_get_efd", library.eventDescriptor.call(worker, result.address()));
                this.descriptor = result.get(JAVA_INT, 0);
                opened = true;
            } finally {
                if (!opened) {
                    library.cleanup.call(context);
                }
            }
        } finally {
            if (!opened) {
                arena.close();
            }
        }
    }

    /**
     * Opens a worker.
     *
     * @param peers number of peers that it will talk to, as a hint
     * @param senderMask the bits of a tag that say which rank has sent a message
     * @param settings settings of UCX, without the prefix {@code UCX_}; those that the library does not know are passed over
     */
    public static UcxWorker open(
            UcxLibrary library, Failures failures, int peers, long senderMask, Map<String, String> settings)
            throws UcxException {
        return new UcxWorker(library, Use.TAGS, failures, peers, senderMask, settings);
    }

    /**
     * Opens a worker for {@link UcxMessages} and {@link UcxMemory}, which sends and receives no tagged messages.
     *
     * @param peers number of peers that it will talk to, as a hint
     * @param settings settings of UCX, without the prefix {@code UCX_}; those that the library does not know are passed over
     */
    public static UcxWorker openForMemory(
            UcxLibrary library, Failures failures, int peers, Map<String, String> settings) throws UcxException {
        return new UcxWorker(library, Use.MESSAGES_AND_MEMORY, failures, peers, 0, settings);
    }

    /** Why no worker can be opened here, in one sentence; empty if one can. Tried once. */
    public static Optional<String> unavailable() {
        return UcxLibrary.unavailable().or(() -> Trial.OBSTACLE);
    }

    private static final class Trial {
        static final Optional<String> OBSTACLE = run();

        private static Optional<String> run() {
            try {
                open(UcxLibrary.open(), (_, _) -> {}, 1, 0, Map.of()).close();
                return Optional.empty();
            } catch (UcxException broken) {
                return Optional.of(broken.getMessage() + "; UCX_TLS and UCX_NET_DEVICES say what it may use");
            }
        }
    }

    private long createContext(Use use, int peers, long senderMask, Map<String, String> settings) throws UcxException {
        library.check("ucp_config_read", library.readConfiguration.call(0, 0, result.address()));
        long configuration = result.get(JAVA_LONG, 0);
        try (Arena ofCall = Arena.ofConfined()) {
            settings.forEach((name, value) -> library.modifyConfiguration.call(
                    configuration,
                    ofCall.allocateFrom(name).address(),
                    ofCall.allocateFrom(value).address()));
            MemorySegment wanted = ofCall.allocate(UcxLayout.ROOM, 8);
            wanted.set(
                    JAVA_LONG,
                    UcxLayout.PARAMS_MASK,
                    UcxLayout.PARAMS_FIELD_FEATURES
                            | UcxLayout.PARAMS_FIELD_TAG_SENDER_MASK
                            | UcxLayout.PARAMS_FIELD_ESTIMATED_ENDPOINTS);
            wanted.set(JAVA_LONG, UcxLayout.PARAMS_FEATURES, use.features | UcxLayout.FEATURE_WAKEUP);
            wanted.set(JAVA_LONG, UcxLayout.PARAMS_TAG_SENDER_MASK, senderMask);
            wanted.set(JAVA_LONG, UcxLayout.PARAMS_ESTIMATED_ENDPOINTS, peers);
            library.check(
                    "ucp_init",
                    library.initialize.call(
                            UcxLibrary.MAJOR, UcxLibrary.MINOR, wanted.address(), configuration, result.address()));
            return result.get(JAVA_LONG, 0);
        } finally {
            library.releaseConfiguration.call(configuration);
        }
    }

    private long requestBytes() throws UcxException {
        try (Arena ofCall = Arena.ofConfined()) {
            MemorySegment asked = ofCall.allocate(UcxLayout.ROOM, 8);
            asked.set(JAVA_LONG, UcxLayout.CONTEXT_MASK, UcxLayout.CONTEXT_FIELD_REQUEST_BYTES);
            library.check("ucp_context_query", library.queryContext.call(context, asked.address()));
            return asked.get(JAVA_LONG, UcxLayout.CONTEXT_REQUEST_BYTES) + 63 & -64;
        }
    }

    private long createWorker() throws UcxException {
        try (Arena ofCall = Arena.ofConfined()) {
            MemorySegment wanted = ofCall.allocate(UcxLayout.ROOM, 8);
            wanted.set(
                    JAVA_LONG,
                    UcxLayout.WORKER_PARAMS_MASK,
                    UcxLayout.WORKER_PARAMS_FIELD_THREAD_MODE | UcxLayout.WORKER_PARAMS_FIELD_EVENTS);
            wanted.set(JAVA_INT, UcxLayout.WORKER_PARAMS_THREAD_MODE, UcxLayout.THREAD_MODE_SERIALIZED);
            wanted.set(
                    JAVA_INT,
                    UcxLayout.WORKER_PARAMS_EVENTS,
                    UcxLayout.WAKEUP_RMA
                            | UcxLayout.WAKEUP_TAG_SEND
                            | UcxLayout.WAKEUP_TAG_RECEIVE
                            | UcxLayout.WAKEUP_TRANSMIT
                            | UcxLayout.WAKEUP_RECEIVE);
            library.check("ucp_worker_create", library.createWorker.call(context, wanted.address(), result.address()));
            return result.get(JAVA_LONG, 0);
        }
    }

    @SuppressWarnings("restricted") // the one purpose of this module
    private long errorHandler() {
        return Linker.nativeLinker()
                .upcallStub(FAILED.bindTo(this), FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG, JAVA_BYTE), arena)
                .address();
    }

    /** Called by UCX. What escaped from here would end the process. */
    @SuppressWarnings("unused") // through FAILED
    private void failed(long peer, long endpoint, byte status) {
        try {
            failures.failed((int) peer, library.describe(status));
        } catch (Throwable ignored) {
            // the operations of the endpoint fail, too
        }
    }

    /** Where peers reach this worker. */
    @SuppressWarnings("restricted") // the library says where it is and how long
    public byte[] address() throws UcxException {
        try (Arena ofCall = Arena.ofConfined()) {
            MemorySegment length = ofCall.allocate(JAVA_LONG);
            library.check(
                    "ucp_worker_get_address", library.getAddress.call(worker, result.address(), length.address()));
            MemorySegment address = result.get(ADDRESS, 0);
            try {
                return address.reinterpret(length.get(JAVA_LONG, 0)).toArray(JAVA_BYTE);
            } finally {
                library.releaseAddress.call(worker, address.address());
            }
        }
    }

    /**
     * Makes an endpoint to a peer. Its failures are told to {@link Failures}.
     *
     * @param watched whether UCX is to find out that the peer has died; not for a rank's way to itself
     */
    public long connect(byte[] address, int peer, boolean watched) throws UcxException {
        try (Arena ofCall = Arena.ofConfined()) {
            MemorySegment wanted = ofCall.allocate(UcxLayout.ROOM, 8);
            MemorySegment copy = ofCall.allocate(address.length, 8);
            MemorySegment.copy(address, 0, copy, JAVA_BYTE, 0, address.length);
            wanted.set(
                    JAVA_LONG,
                    UcxLayout.ENDPOINT_PARAMS_MASK,
                    UcxLayout.ENDPOINT_PARAMS_FIELD_ADDRESS
                            | UcxLayout.ENDPOINT_PARAMS_FIELD_ERROR_MODE
                            | UcxLayout.ENDPOINT_PARAMS_FIELD_ERROR_HANDLER);
            wanted.set(JAVA_LONG, UcxLayout.ENDPOINT_PARAMS_ADDRESS, copy.address());
            wanted.set(JAVA_INT, UcxLayout.ENDPOINT_PARAMS_ERROR_MODE, watched ? UcxLayout.ERROR_MODE_PEER : 0);
            wanted.set(JAVA_LONG, UcxLayout.ENDPOINT_PARAMS_ERROR_HANDLER, errorHandler);
            wanted.set(JAVA_LONG, UcxLayout.ENDPOINT_PARAMS_ERROR_ARGUMENT, peer);
            library.check("ucp_ep_create", library.createEndpoint.call(worker, wanted.address(), result.address()));
            return result.get(JAVA_LONG, 0);
        }
    }

    /**
     * Closes an endpoint.
     *
     * @param byForce whether what is under way there fails, and the peer need not do anything
     * @return as for other operations; its request must be complete before the worker is closed
     */
    public long disconnect(long endpoint, boolean byForce) {
        try (Arena ofCall = Arena.ofConfined()) {
            MemorySegment wanted = ofCall.allocate(UcxLayout.ROOM, 8);
            wanted.set(JAVA_INT, UcxLayout.REQUEST_MASK, UcxLayout.REQUEST_FIELD_FLAGS);
            wanted.set(JAVA_INT, UcxLayout.REQUEST_FLAGS, byForce ? UcxLayout.CLOSE_BY_FORCE : 0);
            return library.closeEndpoint.call(endpoint, wanted.address());
        }
    }

    /** Starts to wait until everything that was sent, got or put through an endpoint before is at the peer. */
    public long flush(long endpoint) {
        return library.flushEndpoint.call(endpoint, parameters);
    }

    UcxLibrary library() {
        return library;
    }

    long context() {
        return context;
    }

    long worker() {
        return worker;
    }

    long parameters() {
        return parameters;
    }

    /** Goes on with whatever is under way; 0 if nothing has moved. */
    public int progress() {
        return (int) library.progress.call(worker);
    }

    /** Readable when something has come since {@link #arm}. */
    public int descriptor() {
        return descriptor;
    }

    /** Has the next event shown by the descriptor; false if there is something to be looked at first. */
    public boolean arm() {
        return (byte) library.arm.call(worker) == UcxLayout.OK;
    }

    /** Starts a send of memory that stays as it is until the send is complete. */
    public long send(long endpoint, long address, long bytes, long tag) {
        return library.send.call(endpoint, address, bytes, tag, parameters);
    }

    /** Starts a receive of a message whose tag is the given one in the bits of the mask. */
    public long receive(long address, long bytes, long tag, long mask) {
        return library.receive.call(worker, address, bytes, tag, mask, parameters);
    }

    /**
     * Takes the oldest message that has arrived for such a receive out of UCX's queue; 0 if there is none. Otherwise
     * {@link #takenTag} is that of the message, which has to be {@linkplain #receiveMessage received}.
     */
    public long take(long tag, long mask) {
        return library.probe.call(worker, tag, mask, 1, info.address());
    }

    /** Tag of the message that has been taken last. */
    public long takenTag() {
        return info.get(JAVA_LONG, UcxLayout.INFO_TAG);
    }

    /**
     * Memory for the request of one receive at a time, so that UCX has none to allot: the request is not to be
     * {@linkplain #free given back}. It lasts as long as the worker.
     */
    public long newReceive() {
        MemorySegment memory = arena.allocate(UcxLayout.ROOM + requestBytes, 64);
        memory.set(JAVA_INT, UcxLayout.REQUEST_MASK, UcxLayout.REQUEST_FIELD_REQUEST);
        memory.set(
                JAVA_LONG, UcxLayout.REQUEST_REQUEST, memory.address() + memory.byteSize()); // UCX writes before that
        return memory.address();
    }

    /** As {@link #receive(long, long, long, long)}, with the request in memory of {@link #newReceive}. */
    public long receive(long address, long bytes, long tag, long mask, long receive) {
        return library.receive.call(worker, address, bytes, tag, mask, receive);
    }

    /** As {@link #receive(long, long, long, long, long)}, of a message that has been taken. */
    public long receiveMessage(long message, long address, long bytes, long receive) {
        return library.receiveMessage.call(worker, address, bytes, message, receive);
    }

    /** How far a request is. */
    public int status(long request) {
        return (byte) library.checkStatus.call(request);
    }

    /** Takes a receive back that has no message; its request completes as {@link #CANCELLED}, or as if nothing had been. */
    public void cancel(long request) {
        library.cancel.call(worker, request);
    }

    /** Gives a request back that is over. */
    public void free(long request) {
        library.free.call(request);
    }

    /**
     * A request has been given back that is not over: it goes on, and nobody is told of its end. The worker then lasts as long as the
     * process, because UCX 1.20 ends the process if it takes a worker apart that has such a one.
     */
    public void abandon() {
        abandoned = true;
    }

    /** Whether what a call has returned is the status of a failure. */
    public static boolean isError(long returned) {
        return returned < 0 && returned >= UcxLayout.LAST_ERROR;
    }

    /** UCX's words for a status. */
    public String describe(long status) {
        return library.describe((int) status);
    }

    /**
     * Ends it; its endpoints have been closed, and all requests been given back. Idempotent. What UCX itself still has to say to
     * peers goes out first, for a second at most: its answer to one that has just connected, for example, without which some
     * versions end the process of that peer. What is not over then goes to a peer that does not answer, or has ended, of which an
     * adapter tells only after half a minute. It ends with the worker: that takes its connections apart in any case, and gives back
     * all memory that an adapter could write. The owner has waited before for whatever its peers must have.
     */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            settle();
            if (!abandoned) {
                library.destroyWorker.call(worker);
                library.cleanup.call(context);
                arena.close();
            }
        }
    }

    private void settle() {
        long end = System.nanoTime() + SETTLE_NANOS;
        long flush = library.flushWorker.call(worker, parameters);
        if (flush == 0 || isError(flush)) {
            return;
        }
        while (status(flush) == IN_PROGRESS && System.nanoTime() - end < 0) {
            if (progress() == 0) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
        free(flush);
    }
}
