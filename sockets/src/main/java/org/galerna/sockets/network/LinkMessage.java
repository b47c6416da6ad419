package org.galerna.sockets.network;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.galerna.sockets.pipe.PipeLayout;

/**
 * What two processes say to each other about their pipes over a link: frames of a header and, with some kinds, more. Numbers
 * are little-endian.
 *
 * <pre>
 *  offset  0          4          8                     16
 *          kind (4)   pipe (4)   value (8)             …
 * </pre>
 *
 * <p>Pipes are numbered by the process that offers them, which is the one that has called. What concerns a pipe that is not
 * there any more is passed over. Each kind but {@link #DATA} says how things are, not what has changed, so that it does not
 * matter how many changes one frame stands for.
 */
public final class LinkMessage {
    public static final int HEADER_BYTES = 16;

    private static final long KIND = 0;
    private static final long PIPE = 4;
    private static final long VALUE = 8;

    /** A pipe for a connection: the bytes of room at this end, and {@link Ends}. */
    public static final int OFFER = 1;

    /** It is agreed to: the bytes of room at this end. */
    public static final int ACCEPT = 2;

    /** The offer is taken back: the end that has made it is closed. */
    public static final int WITHDRAW = 3;

    /** Number of bytes that go over TCP; what follows them comes this way. */
    public static final int TURN = 4;

    /** That is known, so that the byte may be sent that marks the place. */
    public static final int TURN_KNOWN = 5;

    /** The next bytes of the stream; the value is how many came this way before. */
    public static final int DATA = 6;

    /** Number of bytes that were read of those that came this way. */
    public static final int READ = 7;

    /** How the stream has ended: {@link PipeLayout#FINISHED} or {@link PipeLayout#RESET}. */
    public static final int END = 8;

    /** What becomes of the bytes that arrive: {@link PipeLayout#READS}, {@code DISCARDS} or {@code CLOSED}. */
    public static final int RECEIVING = 9;

    /** Whether urgent bytes are wanted in the stream, 1 or 0. */
    public static final int URGENT_INLINE = 10;

    /** The process is about to end; all it had to send is sent. Of no pipe, as the next one. */
    public static final int BYE = 11;

    /** That is known. */
    public static final int BYE_KNOWN = 12;

    /** Number of bytes that went over TCP since the turn, behind all that came this way before. */
    public static final int SPILLED = 13;

    /** How many of those were read. */
    public static final int SPILL_READ = 14;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private LinkMessage() {}

    /** Writes a header. */
    public static void header(MemorySegment memory, long offset, int kind, int id, long value) {
        memory.set(INT, offset + KIND, kind);
        memory.set(INT, offset + PIPE, id);
        memory.set(LONG, offset + VALUE, value);
    }

    static int kind(MemorySegment memory, long offset) {
        return memory.get(INT, offset + KIND);
    }

    static int pipe(MemorySegment memory, long offset) {
        return memory.get(INT, offset + PIPE);
    }

    static long value(MemorySegment memory, long offset) {
        return memory.get(LONG, offset + VALUE);
    }
}
