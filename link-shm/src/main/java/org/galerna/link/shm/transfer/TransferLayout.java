package org.galerna.link.shm.transfer;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.ValueLayout;

/**
 * What lies where in the records of the two rings that serve transfers. The requester writes requests, and the bytes that
 * it puts; the owner of the regions answers them in their order. Plain accesses: the rings order them.
 *
 * <pre>
 *           0          8          16         24         32               64
 *           +----------+----------+----------+----------+----------------+----------
 * request   | GET, PUT | key      | offset   | length   |
 * bytes     | BYTES    |                                                 | bytes ...
 * end       | DONE, REFUSED, UNREADABLE                 |
 *           +----------+
 * </pre>
 *
 * <p>A get is answered by as many records of bytes as it takes and no end, or by an end that says why not. A put is
 * followed by its bytes, and answered by an end. Bytes begin at a line of the cache.
 */
public final class TransferLayout {
    public static final int GET = 1;
    public static final int PUT = 2;
    public static final int BYTES = 3;

    /** The bytes of a put are in place. */
    static final int DONE = 4;

    /** There is no such region, or not so much of it. */
    static final int REFUSED = 5;

    /** The owner could not access the region's memory. */
    static final int UNREADABLE = 6;

    static final int KIND = 0;
    public static final int KEY = 8;
    public static final int OFFSET = 16;
    public static final int LENGTH = 24;
    public static final int REQUEST_BYTES = 32;
    static final int END_BYTES = 8;
    public static final int BYTES_START = 64;

    /** Bytes that a record carries at most of a transfer that is not long, and half of what it carries of a long one. */
    public static final int CHUNK = 16 * 1024;

    /** From so many bytes on fewer records are worth more than the first and the last one's being short. */
    private static final int LONG_TRANSFER = 256 * 1024;

    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(LITTLE_ENDIAN);

    private TransferLayout() {}

    /** Bytes of the next record of a transfer of which so many are left. */
    static int chunk(long left) {
        return (int) Math.min(left, left > LONG_TRANSFER ? 2 * CHUNK : CHUNK);
    }
}
