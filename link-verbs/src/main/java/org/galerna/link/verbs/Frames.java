package org.galerna.link.verbs;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.ValueLayout;

/**
 * Frames as they lie in a message, one after the other, each aligned to 8 bytes behind a header of 8:
 *
 * <pre>
 *   63                      32 31    29 28                 0
 *  +--------------------------+--------+--------------------+
 *  | {@link Word}, in the first one | type   | length in bytes    |
 *  +--------------------------+--------+--------------------+
 * </pre>
 */
final class Frames {
    static final int HEADER_BYTES = 8;

    /** Not committed yet; only in the sender's ring. */
    static final long NOTHING = 0;

    /** A frame of the user's. */
    static final int FRAME = 1;

    /** Space that is not used. */
    static final int SKIP = 2;

    /** A frame of the link's own: {@link TransferFrame}. */
    static final int TRANSFER = 3;

    /** Only the {@link Word}. */
    static final int EMPTY = 4;

    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(LITTLE_ENDIAN);
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(LITTLE_ENDIAN);

    private static final int TYPE_SHIFT = 29;
    private static final int LENGTH_MASK = (1 << TYPE_SHIFT) - 1;

    private Frames() {}

    static long header(int type, int length) {
        return ((long) type << TYPE_SHIFT) | length;
    }

    static int type(long header) {
        return (int) header >>> TYPE_SHIFT;
    }

    static int length(long header) {
        return (int) header & LENGTH_MASK;
    }

    static int word(long header) {
        return (int) (header >>> 32);
    }

    static long withWord(long header, int word) {
        return (header & 0xffff_ffffL) | ((long) word << 32);
    }

    /** Bytes that a frame takes with its header. */
    static int bytes(int length) {
        return HEADER_BYTES + ((length + 7) & ~7);
    }
}
