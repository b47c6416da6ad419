package org.galerna.sockets.pipe;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.galerna.memory.ByteRing;

/**
 * The memory that the two ends of a fast connection share: a head, then for each direction the indexes of its ring and the
 * words about it, each group on lines of its own by its writer; then the data of the two rings.
 */
public final class PipeLayout {
    public static final VarHandle INTS = ValueLayout.JAVA_INT.varHandle();
    public static final VarHandle LONGS = ValueLayout.JAVA_LONG.varHandle();

    /** "galernaS" and the version of this layout. */
    public static final long MAGIC = 0x67616c65726e6153L + 3;

    /** Written once by the process that makes the memory, before others can find it. */
    public static final long MAGIC_AT = 0;

    public static final long RING_BYTES_AT = 8;

    /** What has become of the offer; changed by compare-and-set only. */
    public static final long STATE_AT = 128;

    public static final int OFFERED = 0;
    public static final int ACCEPTED = 1;
    public static final int WITHDRAWN = 2;

    /** Within a direction, after the ring's indexes: written by the sender. */
    public static final long SWITCHED = ByteRing.HEADER_BYTES;

    public static final long END = SWITCHED + 8;
    public static final long SENDER_CPU = SWITCHED + 12;

    /** {@link #END}: more may come, or the stream has ended in order, or was cut off. */
    public static final int OPEN = 0;

    public static final int FINISHED = 1;
    public static final int RESET = 2;

    /** Number of bytes that went over TCP since the turn, because the ring was full: see {@link PipeSender}. */
    public static final long SPILLED = SWITCHED + 16;

    /** Written by the receiver. */
    public static final long RECEIVING = SWITCHED + 128;

    public static final long RECEIVER_CPU = RECEIVING + 4;
    public static final long URGENT_INLINE = RECEIVING + 8;

    /** How many of the bytes that went over TCP since the turn were read. */
    public static final long SPILL_READ = RECEIVING + 16;

    /** {@link #RECEIVING}: bytes are read, or nobody wants them any more, or the socket is closed. */
    public static final int READS = 0;

    public static final int DISCARDS = 1;
    public static final int CLOSED = 2;

    /**
     * What the receiver sleeps on while there are no bytes, and the sender while there is no room; the number of the bell to
     * ring follows: see {@link Waiter}.
     */
    public static final long BYTES_WORD = SWITCHED + 256;

    public static final long ROOM_WORD = SWITCHED + 384;

    private static final long DIRECTION_BYTES = SWITCHED + 512;
    private static final long DIRECTIONS_AT = 256;
    private static final long DATA_AT = 4096;

    /** From the end that has connected to the one that has accepted. */
    public static final int FORTH = 0;

    public static final int BACK = 1;

    private PipeLayout() {}

    /** Whether bytes went over TCP that come behind those in the ring, and were not read yet; for any thread of either end. */
    public static boolean isSpilled(MemorySegment direction) {
        long read = (long) LONGS.getAcquire(direction, SPILL_READ); // first: the other one may only have grown since
        return (long) LONGS.getAcquire(direction, SPILLED) != read;
    }

    public static long bytes(int ringBytes) {
        return DATA_AT + 2L * ringBytes;
    }

    public static MemorySegment direction(MemorySegment memory, int direction) {
        return memory.asSlice(DIRECTIONS_AT + direction * DIRECTION_BYTES, DIRECTION_BYTES);
    }

    public static MemorySegment data(MemorySegment memory, int direction, int ringBytes) {
        return memory.asSlice(DATA_AT + (long) direction * ringBytes, ringBytes);
    }
}
