package org.galerna.link.tcp.stream;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.galerna.link.tcp.wire.Frames;
import org.galerna.link.tcp.wire.StagingPool;

/**
 * Memory that the connections of a link lend each other, so that one that carries nothing now has none: what they read into,
 * their rings of frames, and buffers for frames of the link's own. All of it lies outside the heap.
 */
public final class LinkBuffers {
    /** What is read behind the bytes of a transfer: as much as makes the next header likely to come along. */
    static final int BEHIND_TRANSFER = 4096;

    /** Whoever reads the beginning of a frame that is shorter than it should be stays inside the memory. */
    private static final int SLACK = 64;

    /** Space for frames of the link's own that are written at once. */
    private static final int CONTROL_BYTES = 4096;

    /** Things of a kind that are kept for the next one that needs it; more are left to the collector. */
    private static final int MOST_SPARE = 4;

    private final int maximumFrame;
    private final int ringBytes;
    private final boolean concurrentClaims;
    private final StagingPool staging;
    private final Deque<ReadBuffer> readBuffers = new ArrayDeque<>(); // of the polling thread; the last is the warmest

    // guarded by themselves
    private final Deque<OutboundRing> rings = new ArrayDeque<>();
    private final Deque<ByteBuffer> controls = new ArrayDeque<>();

    /**
     * What a connection reads into.
     *
     * @param bytes the same memory
     * @param capacity bytes that may be read into it; there are some more, which hold nothing
     */
    record ReadBuffer(MemorySegment memory, ByteBuffer bytes, int capacity) {}

    /**
     * Nothing yet.
     *
     * @param ringBytes of the ring of a connection, a power of two
     */
    public LinkBuffers(int ringBytes, boolean concurrentClaims) {
        this(ringBytes, concurrentClaims, () -> {});
    }

    /**
     * As the other one.
     *
     * @param stagingAllocation counts buffers between arrays and sockets
     */
    public LinkBuffers(int ringBytes, boolean concurrentClaims, Runnable stagingAllocation) {
        this.staging = new StagingPool(stagingAllocation);
        this.maximumFrame = OutboundRing.maximumFrame(ringBytes);
        this.ringBytes = ringBytes;
        this.concurrentClaims = concurrentClaims;
    }

    /** Bytes of all the memory that so many connections use that carry something in both directions. */
    public long mostBytes(long connections) {
        long each = ringBytes + readCapacity() + SLACK + CONTROL_BYTES + 2L * Frames.DATA_BYTES;
        return (connections + MOST_SPARE) * each;
    }

    private int readCapacity() {
        return Math.max(BEHIND_TRANSFER, Frames.bytes(maximumFrame));
    }

    int maximumFrame() {
        return maximumFrame;
    }

    StagingPool staging() {
        return staging;
    }

    // ---- the polling thread

    ReadBuffer takeReadBuffer() {
        ReadBuffer spare = readBuffers.pollLast();
        return spare == null ? newReadBuffer() : spare;
    }

    private ReadBuffer newReadBuffer() {
        int capacity = readCapacity();
        MemorySegment memory = Arena.ofAuto().allocate(capacity + SLACK, 64);
        return new ReadBuffer(memory, memory.asByteBuffer(), capacity);
    }

    void give(ReadBuffer unused) {
        if (readBuffers.size() < MOST_SPARE) {
            readBuffers.addLast(unused);
        }
    }

    // ---- any thread

    OutboundRing takeRing() {
        synchronized (rings) {
            OutboundRing spare = rings.pollLast();
            return spare == null ? new OutboundRing(ringBytes, concurrentClaims) : spare;
        }
    }

    /** Takes a ring back that is empty. */
    void give(OutboundRing empty) {
        synchronized (rings) {
            if (rings.size() < MOST_SPARE) {
                rings.addLast(empty);
            }
        }
    }

    ByteBuffer takeControl() {
        synchronized (controls) {
            ByteBuffer spare = controls.pollLast();
            return spare == null ? ByteBuffer.allocateDirect(CONTROL_BYTES).order(LITTLE_ENDIAN) : spare.clear();
        }
    }

    void give(ByteBuffer control) {
        synchronized (controls) {
            if (controls.size() < MOST_SPARE) {
                controls.addLast(control);
            }
        }
    }
}
