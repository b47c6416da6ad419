package org.galerna.link.shm.file;

/**
 * What lies where in the file of memory that a rank has allocated for messages, and in the keys of regions in it.
 *
 * <pre>
 *    0  +--------------------------------------------------------------+
 *       | magic, version (8) | freed (4) |  unused                     |
 *  128  +--------------------------------------------------------------+
 *       | use (8) | offset (8) | length (8) | unused (8)               |  place 0 for a region
 *  160  | the same for place 1 ...                                     |
 * 4096  +--------------------------------------------------------------+
 *       | the memory                                                   |
 *       +--------------------------------------------------------------+
 *
 * key:  63    47     40             0
 *       | 1 | file | place | use    |
 * </pre>
 *
 * <p>The owner writes offset and length before the use (release), and a use of zero when the region is closed. Its peers
 * read the use first (acquire), and believe the rest only if the key names the same use and the range lies in the file.
 */
public final class AllocationLayout {
    public static final long MAGIC = 0x47414c4d_00000001L;

    public static final long MAGIC_OFFSET = 0;
    public static final long FREED = 8;
    public static final int HEADER_BYTES = 4096;
    public static final int PLACES = 120;

    public static final long USE = 0;
    public static final long OFFSET = 8;
    public static final long LENGTH = 16;

    private static final long PLACES_START = 128;
    private static final int PLACE_BYTES = 32;

    private static final int USE_BITS = 40;
    private static final int PLACE_BITS = 7;
    private static final long SHARED = Long.MIN_VALUE;

    /** Files that a rank can have in the course of its life. */
    public static final int MOST_FILES = 1 << (Long.SIZE - 1 - USE_BITS - PLACE_BITS);

    private AllocationLayout() {}

    public static long place(int number) {
        return PLACES_START + (long) number * PLACE_BYTES;
    }

    public static long key(int file, int place, long use) {
        return SHARED | ((long) file << (USE_BITS + PLACE_BITS)) | ((long) place << USE_BITS) | use;
    }

    public static boolean isShared(long key) {
        return key < 0;
    }

    public static int file(long key) {
        return (int) (key >>> (USE_BITS + PLACE_BITS)) & (MOST_FILES - 1);
    }

    public static int place(long key) {
        return (int) (key >>> USE_BITS) & ((1 << PLACE_BITS) - 1);
    }

    public static long use(long key) {
        return key & ((1L << USE_BITS) - 1);
    }
}
