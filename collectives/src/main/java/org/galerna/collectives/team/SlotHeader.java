package org.galerna.collectives.team;

/** The word that a value in a slot begins with: a part of the tag of its collective (16 bits), and its bytes (48). */
final class SlotHeader {
    private static final int LENGTH_BITS = 48;
    private static final int CALL_MASK = (1 << (Long.SIZE - LENGTH_BITS)) - 1;

    private SlotHeader() {}

    static long of(int tag, long length) {
        return ((long) (tag & CALL_MASK) << LENGTH_BITS) | length;
    }

    /** Bytes of the value. */
    static long length(long header) {
        return header & ((1L << LENGTH_BITS) - 1);
    }

    /** The part of the tag. */
    static int call(long header) {
        return (int) (header >>> LENGTH_BITS);
    }

    /** The part of a tag that headers have. */
    static int call(int tag) {
        return tag & CALL_MASK;
    }

    /** A tag like another one, with the part of a header. */
    static int withCall(int tag, long header) {
        return (tag & ~CALL_MASK) | call(header);
    }
}
