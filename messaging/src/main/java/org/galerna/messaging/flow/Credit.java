package org.galerna.messaging.flow;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What may be sent to a node that it has not processed yet: the window of one connection, and the gate through which
 * everything goes that is sent on it.
 *
 * <p>One word counts what was sent: bytes modulo 2³² below, messages modulo 2³¹ above, and the highest bit says that the
 * gate is closed. The receiver confirms how much it has processed since the beginning, so that a confirmation that is
 * late, or comes twice, does no harm.
 *
 * <p>Argument: bytes are taken by compare-and-set of that word against a confirmation read after it. Confirmations only
 * grow, so that with an old one less is granted, never more: however many threads take at once, the window is not
 * overshot. What goes through after the gate is closed has been counted before, so that the connection is empty once
 * everything counted is confirmed.
 */
public final class Credit {
    public static final int GRANTED = 0;
    public static final int EXHAUSTED = 1;
    public static final int CLOSED = 2;

    private static final long GATE = Long.MIN_VALUE;
    private static final int MESSAGES_MASK = 0x7fffffff;

    private final int window;
    private final AtomicLong sent = new AtomicLong();
    private volatile long confirmed; // messages above, bytes below; written by the polling thread
    private volatile long bytesConfirmed; // all of them; written by the polling thread
    private volatile long messagesConfirmed; // all of them; written by the polling thread

    /** A window of this many bytes. */
    public Credit(int window) {
        this.window = window;
    }

    /** What a frame of this length counts: what it takes in the receiver's buffer. */
    public static int cost(int length) {
        return (length + Long.BYTES - 1) & -Long.BYTES;
    }

    /**
     * Takes a part of the window.
     *
     * @param messages that begin with it
     * @param overdraft whether the window does not matter
     * @param begun whether it belongs to a message that has been counted already, and so goes through a closed gate
     */
    public int take(int bytes, int messages, boolean overdraft, boolean begun) {
        while (true) {
            long before = sent.get();
            if (before < 0 && !begun) {
                return CLOSED;
            }
            int used = (int) before - (int) confirmed;
            if (!overdraft && used + bytes > window) {
                return EXHAUSTED;
            }
            if (sent.compareAndSet(before, moved(before, bytes, messages))) {
                return GRANTED;
            }
            Thread.onSpinWait();
        }
    }

    private static long moved(long word, int bytes, int messages) {
        long count = ((word >>> 32) + messages) & MESSAGES_MASK;
        return (word & GATE) | count << 32 | ((word + bytes) & 0xffffffffL);
    }

    /** Gives back what was not sent after all. */
    public void giveBack(int bytes, int messages) {
        long before;
        do {
            before = sent.get();
        } while (!sent.compareAndSet(before, moved(before, -bytes, -messages)));
    }

    /** Learns what the receiver has processed. True unless that is more than was sent. */
    public boolean confirm(int messages, int bytes) {
        long before = confirmed;
        int moreMessages = (messages - (int) (before >>> 32)) & MESSAGES_MASK;
        int moreBytes = bytes - (int) before;
        if (moreBytes < 0 || moreBytes > (int) sent.get() - (int) before || moreMessages > inDoubt()) {
            return false;
        }
        long counted = messagesConfirmed;
        long countedBytes = bytesConfirmed;
        bytesConfirmed = countedBytes + moreBytes;
        messagesConfirmed = counted + moreMessages;
        confirmed = (long) (messages & MESSAGES_MASK) << 32 | (bytes & 0xffffffffL);
        return true;
    }

    /** Lets nothing through any more. */
    public void close() {
        sent.getAndUpdate(word -> word | GATE);
    }

    /** Takes {@link #close} back. */
    public void open() {
        sent.getAndUpdate(word -> word & ~GATE);
    }

    public boolean isClosed() {
        return sent.get() < 0;
    }

    /** Messages sent that are not confirmed. */
    public long inDoubt() {
        return ((sent.get() >>> 32) - (confirmed >>> 32)) & MESSAGES_MASK;
    }

    /** Bytes sent that are not confirmed. */
    public int used() {
        return (int) sent.get() - (int) confirmed;
    }

    /** Bytes sent. */
    public long bytes() {
        return bytesConfirmed + used();
    }

    /** Messages sent. */
    public long messages() {
        return messagesConfirmed + inDoubt();
    }
}
