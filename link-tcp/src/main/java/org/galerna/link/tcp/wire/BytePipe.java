package org.galerna.link.tcp.wire;

import java.nio.ByteBuffer;

/** A bounded queue of bytes between a thread that blocks at a stream and threads that must not block. */
public final class BytePipe {
    private static final int CAPACITY = 64 * 1024;

    // guarded by this
    private final byte[] bytes = new byte[CAPACITY];
    private int start;
    private int count;
    private boolean ended;

    /** Takes what is there: number of bytes, 0 if there are none at the moment, -1 if there will be none. */
    synchronized int read(ByteBuffer target) {
        int taken = Math.min(count, target.remaining());
        if (taken == 0) {
            return count == 0 && ended ? -1 : 0;
        }
        int first = Math.min(taken, CAPACITY - start);
        int at = target.position();
        // nothing is taken from here if the target is memory that was freed
        target.put(at, bytes, start, first).put(at + first, bytes, 0, taken - first);
        target.position(at + taken);
        drop(taken);
        return taken;
    }

    /** Number of bytes in it. */
    synchronized int size() {
        return count;
    }

    /** Adds what there is room for; number of bytes. */
    synchronized int write(ByteBuffer source) {
        int added = Math.min(CAPACITY - count, source.remaining());
        int end = (start + count) % CAPACITY;
        int first = Math.min(added, CAPACITY - end);
        int at = source.position();
        source.get(at, bytes, end, first).get(at + first, bytes, 0, added - first);
        source.position(at + added);
        count += added;
        if (added > 0) {
            notifyAll();
        }
        return added;
    }

    private void drop(int taken) {
        start = (start + taken) % CAPACITY;
        count -= taken;
        notifyAll();
    }

    /**
     * Waits until there is something, and takes it.
     *
     * @return number of bytes; -1 if there will be none
     */
    synchronized int awaitBytes(byte[] target) throws InterruptedException {
        while (count == 0 && !ended) {
            wait();
        }
        return read(ByteBuffer.wrap(target));
    }

    /** Waits until there is room, and adds everything; false if nobody wants it any more. */
    synchronized boolean awaitRoom(byte[] source, int length) throws InterruptedException {
        ByteBuffer from = ByteBuffer.wrap(source, 0, length);
        while (from.hasRemaining()) {
            if (ended) {
                return false;
            }
            if (write(from) == 0) {
                wait();
            }
        }
        return true;
    }

    /** Says that nothing more will be added. */
    synchronized void end() {
        ended = true;
        notifyAll();
    }
}
