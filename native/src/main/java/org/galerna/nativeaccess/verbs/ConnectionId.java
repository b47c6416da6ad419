package org.galerna.nativeaccess.verbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.Optional;

/**
 * One end of a connection, or something to listen with, as RDMA CM knows it: {@code struct rdma_cm_id}. The queue pair is
 * the caller's own. Nothing blocks: outcomes come as {@link ConnectionEvent}s. One thread's at a time.
 *
 * <p>The side that connects: {@link #resolveAddress}, {@link #resolveRoute}, {@link #connect}; then, for a
 * {@link ConnectionEvent.Kind#RESPONSE}, {@link #prepare} its queue pair and {@link #establish}. The side that listens:
 * {@link #bind}, {@link #listen}; then, for a {@link ConnectionEvent.Kind#REQUEST}, {@link #prepare} and {@link #accept},
 * or {@link #reject}.
 */
public final class ConnectionId implements AutoCloseable {
    private static final int RESOLVE_MILLIS = 2000;
    private static final int RETRIES = 7;

    private final RdmaCm library;
    private final MemorySegment id;
    private boolean closed;

    ConnectionId(RdmaCm library, MemorySegment id) {
        this.library = library;
        this.id = NativeFunction.sized(id, RdmaCmLayout.ID_BYTES);
    }

    /** What events name it by. */
    public long handle() {
        return id.address();
    }

    /** Takes a local address, whose port may be 0 for any. */
    public void bind(InetSocketAddress address) throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            library.bind.count("RDMA CM at " + address, id, SocketAddressLayout.encode(arena, address));
        }
    }

    /** Name of the adapter that its address belongs to; empty if it belongs to none. */
    public Optional<String> adapter() {
        MemorySegment context = id.get(ADDRESS, RdmaCmLayout.ID_VERBS);
        return context.equals(MemorySegment.NULL)
                ? Optional.empty()
                : Optional.of(VerbsLibrary.open().adapterOf(context));
    }

    /** Lets others connect. */
    public void listen(int backlog) throws VerbsException {
        library.listen.count("RDMA CM", id, backlog);
    }

    /** The port that it has been given. */
    public int port() {
        return library.portOf(id);
    }

    /** Sets the type of service of the packets, 0 to 255: RoCE's traffic class. */
    public void typeOfService(int value) throws VerbsException {
        setOption(RdmaCmLayout.OPTION_TYPE_OF_SERVICE, value);
    }

    /**
     * Sets how long the queue pair waits until it sends again what nobody has acknowledged; before it is prepared to send.
     *
     * @param exponent 1 to 31: 4.096 µs · 2^n
     */
    public void ackTimeout(int exponent) throws VerbsException {
        setOption(RdmaCmLayout.OPTION_ACK_TIMEOUT, exponent);
    }

    private void setOption(int name, int value) throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment option = arena.allocateFrom(JAVA_BYTE, (byte) value);
            library.setOption.count("RDMA CM", id, RdmaCmLayout.OPTION_LEVEL_ID, name, option, option.byteSize());
        }
    }

    /** Begins to look for the adapter that an address is reached by, from an address of this side. */
    public void resolveAddress(InetSocketAddress from, InetSocketAddress to) throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            library.resolveAddress.count(
                    "RDMA CM to " + to,
                    id,
                    SocketAddressLayout.encode(arena, from),
                    SocketAddressLayout.encode(arena, to),
                    RESOLVE_MILLIS);
        }
    }

    /** Begins to look for the way. */
    public void resolveRoute() throws VerbsException {
        library.resolveRoute.count("RDMA CM", id, RESOLVE_MILLIS);
    }

    /**
     * Begins to connect.
     *
     * @param privateData what the other side is told, at most 56 bytes
     * @param reads RDMA reads that may be under way each way
     */
    public void connect(QueuePair pair, byte[] privateData, int reads) throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            library.connect.count("RDMA CM", id, parameters(arena, pair, privateData, reads));
        }
    }

    /** Accepts a request; a queue pair must be {@linkplain #prepare prepared}. */
    public void accept(QueuePair pair, byte[] privateData, int reads) throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            library.accept.count("RDMA CM", id, parameters(arena, pair, privateData, reads));
        }
    }

    private static MemorySegment parameters(Arena arena, QueuePair pair, byte[] privateData, int reads) {
        MemorySegment parameters = arena.allocate(RdmaCmLayout.PARAMETERS_BYTES, 8);
        parameters.set(ADDRESS, RdmaCmLayout.PARAMETERS_PRIVATE_DATA, arena.allocateFrom(JAVA_BYTE, privateData));
        parameters.set(JAVA_BYTE, RdmaCmLayout.PARAMETERS_PRIVATE_LENGTH, (byte) privateData.length);
        parameters.set(JAVA_BYTE, RdmaCmLayout.PARAMETERS_TARGET_READS, (byte) reads);
        parameters.set(JAVA_BYTE, RdmaCmLayout.PARAMETERS_INITIATOR_READS, (byte) reads);
        parameters.set(JAVA_BYTE, RdmaCmLayout.PARAMETERS_FLOW_CONTROL, (byte) 1);
        parameters.set(JAVA_BYTE, RdmaCmLayout.PARAMETERS_RETRIES, (byte) RETRIES);
        parameters.set(JAVA_BYTE, RdmaCmLayout.PARAMETERS_RNR_RETRIES, (byte) 0);
        parameters.set(JAVA_BYTE, RdmaCmLayout.PARAMETERS_SHARED_RECEIVES, (byte) 1);
        parameters.set(JAVA_INT, RdmaCmLayout.PARAMETERS_QP, pair.number());
        return parameters;
    }

    /** Sends a request away. */
    public void reject() {
        library.reject.ignoringFailure(id, MemorySegment.NULL, (byte) 0);
    }

    /** Brings a queue pair into the state that connecting or receiving needs, as the connection manager knows the way. */
    public void prepare(QueuePair pair, State state) throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocate(VerbsLayout.QP_ATTR_BYTES, 8);
            MemorySegment mask = arena.allocate(JAVA_INT);
            attributes.set(JAVA_INT, VerbsLayout.QP_ATTR_STATE, state.number);
            library.initializeQueuePair.count("RDMA CM", id, attributes, mask);
            if ((mask.get(JAVA_INT, 0) & VerbsLayout.MASK_ACCESS) != 0) {
                // the connection manager does not know yet that the other side is to read too
                attributes.set(
                        JAVA_INT,
                        VerbsLayout.QP_ATTR_ACCESS,
                        VerbsLayout.ACCESS_REMOTE_WRITE | VerbsLayout.ACCESS_REMOTE_READ);
            }
            pair.modify(state.name(), attributes, mask.get(JAVA_INT, 0));
        }
    }

    /** States of a queue pair on the way to a connection. */
    public enum State {
        /** It may be connected. */
        INIT(VerbsLayout.STATE_INIT),
        /** It receives. */
        RTR(VerbsLayout.STATE_RTR),
        /** It sends. */
        RTS(VerbsLayout.STATE_RTS);

        private final int number;

        State(int number) {
            this.number = number;
        }
    }

    /** Tells the other side that this one is ready, after a {@link ConnectionEvent.Kind#RESPONSE}. */
    public void establish() throws VerbsException {
        library.establish.count("RDMA CM", id);
    }

    /** Ends the connection; the other side hears of it. */
    public void disconnect() {
        library.disconnect.ignoringFailure(id);
    }

    /** Lets it go. Idempotent. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            library.destroyId.ignoringFailure(id);
        }
    }
}
