package org.galerna.link.verbs.wire;

/**
 * The 64 bits by which the adapter names a work request in its completion: a send, by its peer and its place among the sends
 * to that, or a receive, by its buffer.
 *
 * <pre>
 *   63  62  61        44 43                    0
 *  +---+---+------------+----------------------+
 *  | 0 | 1 | peer       | sequence of the send |
 *  | 0 | 0 | 0          | slot of the receive  |
 *  +---+---+------------+----------------------+
 * </pre>
 */
public final class WorkId {
    private static final long SEND = 1L << 62;
    private static final int PEER_SHIFT = 44;
    private static final long SEQUENCE_MASK = (1L << PEER_SHIFT) - 1;

    private WorkId() {}

    public static long ofSend(int peer, long sequence) {
        return SEND | ((long) peer << PEER_SHIFT) | (sequence & SEQUENCE_MASK);
    }

    public static boolean isSend(long id) {
        return (id & SEND) != 0;
    }

    public static int peer(long id) {
        return (int) ((id & ~SEND) >>> PEER_SHIFT);
    }

    public static long sequence(long id) {
        return id & SEQUENCE_MASK;
    }
}
