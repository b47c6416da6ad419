package org.galerna.link.tcp.wire;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.ValueLayout;

/**
 * Layout of what travels over a connection after the handshake. Every frame begins with a header of 8 bytes and is
 * padded to a multiple of 8, so that the bytes of all frames lie aligned in the buffer that they are read into. Numbers
 * are little-endian.
 *
 * <pre>
 *    0  +----------------------------+---------+-------------------+
 *       | length of the body (4)     | type (1)| zero (3)          |
 *    8  +----------------------------+---------+-------------------+
 *       | body, then padding that nobody reads                     |
 *       +----------------------------------------------------------+
 *
 *  type      body
 *  FRAME     a frame of the rank's
 *  ALIVE     none
 *  GOODBYE   none; nothing follows
 *  GET, PUT  transfer (8) | key (8) | offset (8) | length (8)
 *  GET_DATA  transfer (8) | the next bytes of what the receiver has asked for
 *  PUT_DATA  transfer (8) | the next bytes of what the sender has announced
 *  DONE      transfer (8)
 *  REFUSED   transfer (8) | reason (8)
 *  ABANDONED transfer (8); no more PUT_DATA of it follows, and REFUSED answers it
 *  LOST      rank (4) | zero (4)
 *  LAST      none; nothing follows on this connection, and what comes next comes over another one
 * </pre>
 */
public final class Frames {
    public static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(LITTLE_ENDIAN);

    public static final int HEADER_BYTES = 8;
    public static final int TYPE_SHIFT = 32;

    /** In the outbound ring only: a claim that is not committed yet. */
    public static final int NOTHING = 0;

    public static final int FRAME = 1;
    public static final int ALIVE = 2;
    public static final int GOODBYE = 3;
    public static final int GET = 4;
    public static final int PUT = 5;
    public static final int GET_DATA = 6;
    public static final int PUT_DATA = 7;
    public static final int DONE = 8;
    public static final int REFUSED = 9;
    public static final int ABANDONED = 10;
    public static final int LOST = 11;
    public static final int LAST = 12;

    /** In the outbound ring only: space that is not sent. */
    public static final int SKIP = 127;

    /** Most bytes of a region in one frame: what a short frame has to wait for at most. */
    public static final int DATA_BYTES = 256 * 1024;

    public static final int TRANSFER_BYTES = 8;
    public static final int REQUEST_BYTES = 32;

    /** Reason of a refusal: no memory is registered under the key, or not so much of it. */
    public static final long NO_REGION = 1;

    /** Reason of a refusal: the memory cannot be read or written any more. */
    public static final long INACCESSIBLE = 2;

    private Frames() {}

    public static long header(int type, int length) {
        return ((long) type << TYPE_SHIFT) | length;
    }

    public static int type(long header) {
        return (int) (header >>> TYPE_SHIFT) & 0xff;
    }

    public static int length(long header) {
        return (int) header;
    }

    /** Whether the bits that this version does not use are zero. */
    public static boolean isPlain(long header) {
        return header >>> 40 == 0;
    }

    public static int padded(int length) {
        return (length + 7) & ~7;
    }

    /** Bytes of a frame on the wire. */
    public static int bytes(int length) {
        return HEADER_BYTES + padded(length);
    }
}
