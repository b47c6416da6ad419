package org.galerna.messaging.wire;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.galerna.messaging.support.TimeLimit;

/**
 * What lies in a frame.
 *
 * <pre>
 *    0  kind (1) | version (1) | type (2) | length (4) what is sent with one of these kinds; its length with all this
 *    8  identity of the request (8)                   unless it is a message
 *   16  nanoseconds that it has left (8)              of a request only
 *       the object
 *
 *    0  PIECE (1) | marks (1) | 0 (6)
 *    8  bytes of the whole (8)                        first piece only
 *       bytes of what is sent, with its header
 *
 *    0  MANY (1) | 0 (3) | messages (4)
 *       of each what is sent with its header, padded to 8 bytes
 *
 *    0  GOODBYE or STAY (1) | 0 (7)
 *
 *    0  CONFIRM (1) | 0 (7)
 *    8  messages processed (4) | bytes processed (4)  since the connection was opened, modulo 2³²
 * </pre>
 *
 * <p>The length is believed only where several messages lie behind each other; a frame by itself has that of the link.
 */
public final class Frames {
    public static final int MESSAGE = 1;
    public static final int REQUEST = 2;
    public static final int RESPONSE = 3;

    /** A response that says what went wrong. */
    public static final int FAILURE = 4;

    public static final int PIECE = 5;

    /** The pieces so far are to be forgotten. */
    public static final int ABANDON = 6;

    public static final int CONFIRM = 7;

    /** Nothing is under way from the sender of this, and it would like to end the connection; see {@code Farewell}. */
    public static final int GOODBYE = 9;

    /** The sender of this has heard a goodbye, and goes on. */
    public static final int STAY = 10;

    /** Several messages. */
    public static final int MANY = 8;

    /** Mark of a piece. */
    public static final int FIRST = 1;

    /** Mark of a piece. */
    public static final int LAST = 2;

    /** Mark of a piece: it is of a response, which goes beside what else goes in pieces. */
    public static final int OF_RESPONSE = 4;

    public static final int HEADER_BYTES = 8;
    public static final int REQUEST_HEADER_BYTES = 24;
    public static final int RESPONSE_HEADER_BYTES = 16;

    /** Where a request says how much time it has left. On arrival the receiver puts the end of that time there. */
    public static final int LIMIT_OFFSET = 16;

    public static final int CONFIRM_BYTES = 16;

    public static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(LITTLE_ENDIAN);

    private static final VarHandle WORDS =
            MethodHandles.byteArrayViewVarHandle(long[].class, LITTLE_ENDIAN).withInvokeExactBehavior();

    private Frames() {}

    public static long word(byte[] bytes, int at) {
        return (long) WORDS.get(bytes, at);
    }

    public static void setWord(byte[] bytes, int at, long word) {
        WORDS.set(bytes, at, word);
    }

    public static long header(int kind, int version, int type) {
        return kind | ((long) version << 8) | ((long) type << 16);
    }

    /**
     * When a request ends that arrives now, as of {@link System#nanoTime} of this node. Clocks of nodes are not compared, and
     * the way takes some of the time: it does not end here before it has ended where it comes from.
     *
     * @param left what it says that it has left; anything at all
     */
    public static long deadline(long now, long left) {
        return now + Math.clamp(left, -1, TimeLimit.LONGEST_NANOS);
    }

    /** The same header with this length. */
    public static long withLength(long header, int length) {
        return (header & 0xffffffffL) | (long) length << Integer.SIZE;
    }

    public static int length(long header) {
        return (int) (header >>> Integer.SIZE);
    }

    public static int kind(long header) {
        return (int) header & 0xff;
    }

    /** The version of a type, or the marks of a piece. */
    public static int version(long header) {
        return (int) (header >>> 8) & 0xff;
    }

    public static int type(long header) {
        return (int) (header >>> 16) & 0xffff;
    }

    public static int headerBytes(int kind) {
        return switch (kind) {
            case MESSAGE -> HEADER_BYTES;
            case REQUEST -> REQUEST_HEADER_BYTES;
            default -> RESPONSE_HEADER_BYTES;
        };
    }
}
