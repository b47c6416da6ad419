package org.galerna.nativeaccess.verbs;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * One end of a reliable connection. Either a connection manager says how it gets from state to state ({@link #modify}),
 * or the two sides do, who know each other's {@link QueuePairAddress}: {@link #initialize}, {@link #receiveFrom},
 * {@link #startSending}.
 */
public final class QueuePair implements AutoCloseable {
    /** Most that the field holds. */
    private static final int RETRIES = 7;

    /** A receive queue that runs dry is a mistake, so the first such answer is an error. */
    private static final int NO_RETRIES = 0;

    /** 0.64 ms: what the field holds while it is of no use. */
    private static final int RNR_TIMER = 12;

    private static final int HOPS = 64;

    private final Adapter adapter;
    private final MemorySegment pair;
    private final long address;
    private final MemorySegment post;
    private final int number;
    private final int inline;
    private boolean closed; // guarded by this

    QueuePair(Adapter adapter, MemorySegment pair, int inline) {
        this.adapter = adapter;
        this.pair = NativeFunction.sized(pair, VerbsLayout.QP_BYTES);
        this.address = pair.address();
        this.post = adapter.operation(VerbsLayout.CONTEXT_POST_SEND);
        this.number = this.pair.get(JAVA_INT, VerbsLayout.QP_NUMBER);
        this.inline = inline;
    }

    /** Its number, which is unique on the adapter. */
    public int number() {
        return number;
    }

    /** What {@link AsyncEvent#element} says if it concerns this. */
    public long address() {
        return address;
    }

    /** Longest message that may be sent inline, in bytes; at least what was asked for. */
    public int inlineLimit() {
        return inline;
    }

    /** Lets it take receives, and lets peers reach this rank's memory through it. */
    public void initialize(int port) throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = attributes(arena, VerbsLayout.STATE_INIT);
            attributes.set(JAVA_BYTE, VerbsLayout.QP_ATTR_PORT, (byte) port);
            attributes.set(
                    JAVA_INT,
                    VerbsLayout.QP_ATTR_ACCESS,
                    VerbsLayout.ACCESS_REMOTE_WRITE | VerbsLayout.ACCESS_REMOTE_READ);
            modify("INIT", attributes, VerbsLayout.MASK_INIT);
        }
    }

    /** Connects it, so that it receives. */
    public void receiveFrom(QueuePairAddress remote, Path path) throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = attributes(arena, VerbsLayout.STATE_RTR);
            attributes.set(
                    JAVA_INT, VerbsLayout.QP_ATTR_PATH_MTU, Integer.numberOfTrailingZeros(path.mtu()) - 7); // 256 is 1
            attributes.set(JAVA_INT, VerbsLayout.QP_ATTR_DEST_QP, remote.number());
            attributes.set(JAVA_INT, VerbsLayout.QP_ATTR_RQ_PSN, remote.firstPacket());
            attributes.set(JAVA_BYTE, VerbsLayout.QP_ATTR_MAX_DEST_RD_ATOMIC, (byte) path.reads());
            attributes.set(JAVA_BYTE, VerbsLayout.QP_ATTR_MIN_RNR_TIMER, (byte) RNR_TIMER);
            MemorySegment way = attributes.asSlice(VerbsLayout.QP_ATTR_AH);
            way.set(JAVA_SHORT, VerbsLayout.AH_DLID, (short) remote.lid());
            way.set(JAVA_BYTE, VerbsLayout.AH_PORT, (byte) path.port());
            if (path.global()) {
                way.set(JAVA_BYTE, VerbsLayout.AH_IS_GLOBAL, (byte) 1);
                way.set(JAVA_BYTE, VerbsLayout.AH_SGID_INDEX, (byte) path.gidIndex());
                way.set(JAVA_BYTE, VerbsLayout.AH_HOP_LIMIT, (byte) HOPS);
                way.set(JAVA_BYTE, VerbsLayout.AH_TRAFFIC_CLASS, (byte) path.trafficClass());
                MemorySegment.copy(remote.gid(), 0, way, JAVA_BYTE, VerbsLayout.AH_DGID, VerbsLayout.GID_BYTES);
            }
            modify("RTR", attributes, VerbsLayout.MASK_RTR);
        }
    }

    /** Lets it send. */
    public void startSending(int firstPacket, Path path) throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = attributes(arena, VerbsLayout.STATE_RTS);
            attributes.set(JAVA_INT, VerbsLayout.QP_ATTR_SQ_PSN, firstPacket);
            attributes.set(JAVA_BYTE, VerbsLayout.QP_ATTR_MAX_RD_ATOMIC, (byte) path.reads());
            attributes.set(JAVA_BYTE, VerbsLayout.QP_ATTR_TIMEOUT, (byte) path.ackTimeout());
            attributes.set(JAVA_BYTE, VerbsLayout.QP_ATTR_RETRIES, (byte) RETRIES);
            attributes.set(JAVA_BYTE, VerbsLayout.QP_ATTR_RNR_RETRIES, (byte) NO_RETRIES);
            modify("RTS", attributes, VerbsLayout.MASK_RTS);
        }
    }

    /** Ends all that is under way; it completes as {@link WorkCompletions#FLUSHED}. */
    public void fail() throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            modify("ERR", attributes(arena, VerbsLayout.STATE_ERROR), VerbsLayout.MASK_STATE);
        }
    }

    private static MemorySegment attributes(Arena arena, int state) {
        MemorySegment attributes = arena.allocate(VerbsLayout.QP_ATTR_BYTES, 8);
        attributes.set(JAVA_INT, VerbsLayout.QP_ATTR_STATE, state);
        return attributes;
    }

    synchronized void modify(String state, MemorySegment attributes, int mask) throws VerbsException {
        if (closed) {
            throw new VerbsException(
                    adapter.name() + ": ibv_modify_qp of a queue pair that is closed", VerbsException.EBADF);
        }
        adapter.library()
                .modifyQueuePair
                .zero(adapter.name() + " queue pair " + number + " to " + state, pair, attributes, mask);
    }

    /**
     * Posts a work request. Does not block.
     *
     * @return 0, or the error: {@link VerbsException#ENOMEM} if the queue is full
     */
    public int post(SendRequest request) {
        try {
            return (int) Operations.POST.invokeExact(post, address, request.address(), request.bad());
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Ends it; what was under way does not complete any more. Idempotent. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            adapter.library().destroyQueuePair.ignoringFailure(pair);
        }
    }
}
