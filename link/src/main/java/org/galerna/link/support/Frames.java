package org.galerna.link.support;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.ValueLayout;

/**
 * Frames as they lie in a message, one after the other, each aligned to 8 bytes behind a header of 8. The word is what a link
 * has to say of the message as a whole.
 *
 * <pre>
 *   63                      32 31    29 28                 0
 *  +--------------------------+--------+--------------------+
 *  | word, in the first one   | type   | length in bytes    |
 *  +--------------------------+--------+--------------------+
 * </pre>
 */
public final class Frames {
    /** Of a header. */
    public static final int HEADER_BYTES = 8;

    /** Not committed yet; only in the sender's ring. */
    public static final long NOTHING = 0;

    /** A frame of the user's. */
    public static final int FRAME = 1;

    /** Space that is not used. */
    public static final int SKIP = 2;

    /** A frame of the link's own. */
    public static final int TRANSFER = 3;

    /** Only the word. */
    public static final int EMPTY = 4;

    /** Numbers as they lie in messages. */
    public static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(LITTLE_ENDIAN);

    /** The same, of half the size. */
    public static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(LITTLE_ENDIAN);

    static final int TYPE_SHIFT = 29;
    private static final int LENGTH_MASK = (1 << TYPE_SHIFT) - 1;

    private Frames() {}

    /** A header without a word. */
    public static long header(int type, int length) {
        return ((long) type << TYPE_SHIFT) | length;
    }

    /** The type in a header. */
    public static int type(long header) {
        return (int) header >>> TYPE_SHIFT;
    }

    /** The length in a header. */
    public static int length(long header) {
        return (int) header & LENGTH_MASK;
    }

    /** The word in a header. */
    public static int word(long header) {
        return (int) (header >>> 32);
    }

    /** A header with another word. */
    public static long withWord(long header, int word) {
        return (header & 0xffff_ffffL) | ((long) word << 32);
    }

    /** Bytes that a frame takes with its header. */
    public static int bytes(int length) {
        return HEADER_BYTES + ((length + 7) & ~7);
    }
}
