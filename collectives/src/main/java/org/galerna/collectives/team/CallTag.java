package org.galerna.collectives.team;

/**
 * The tags of the messages of collectives, which say what they belong to. Those of collectives that block have the operation
 * and the root, so that messages of different ones never match. Those of collectives that do not block have a number of the
 * call, so that any number of them can be under way, and the operation.
 */
final class CallTag {
    private static final int BLOCKING = 1 << 30;

    /** Bits of the number of an operation; the root stands above them. */
    private static final int OPERATION_BITS = 4;

    private static final int OPERATION_MASK = (1 << OPERATION_BITS) - 1;
    private static final int ROOT_MASK = (1 << (30 - OPERATION_BITS)) - 1;

    /** Bits of the number of a call that does not block; the operation stands above them. */
    private static final int STARTED_BITS = 25;

    /** Far more calls than can be under way. */
    private static final int STARTED_MASK = (1 << STARTED_BITS) - 1;

    private CallTag() {}

    /** The tag of a collective that blocks. */
    static int blocking(int operation, int root) {
        return BLOCKING | (((root + 1) & ROOT_MASK) << OPERATION_BITS) | operation;
    }

    /** The tag of a collective that does not block, which is the one of that number. */
    static int started(int operation, long number) {
        return (operation << STARTED_BITS) | (int) (number & STARTED_MASK);
    }

    static boolean isBlocking(int tag) {
        return (tag & BLOCKING) != 0;
    }

    /** Number of the operation. */
    static int operation(int tag) {
        return isBlocking(tag) ? tag & OPERATION_MASK : tag >>> STARTED_BITS;
    }

    /** Whether a tag is that of a collective that does not block, of a higher number than that. */
    static boolean isAfter(int tag, long number) {
        int beyond = (tag - (int) number) & STARTED_MASK;
        return !isBlocking(tag) && beyond > 0 && beyond <= STARTED_MASK / 2;
    }

    /** The root of a collective that blocks; negative if it has none. */
    static int root(int tag) {
        return ((tag >>> OPERATION_BITS) & ROOT_MASK) - 1;
    }
}
