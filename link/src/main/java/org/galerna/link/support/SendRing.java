package org.galerna.link.support;

/**
 * Frames to one peer in memory that the adapter reads. Sent in messages of as many as are committed in a row, and kept until the
 * adapter has them at the other side.
 */
public final class SendRing extends FrameRing {
    private static final long ALIGNMENT = 4096;

    private long next; // of the sender: the first position that is not sent
    private long sentEnd; // of the sender: behind the last message

    /**
     * An empty ring.
     *
     * @param capacity bytes, a power of two
     */
    public SendRing(int capacity, boolean concurrentClaims) {
        super(capacity, ALIGNMENT, concurrentClaims, Frames.TYPE_SHIFT, Frames.SKIP);
    }

    // ---- the sender, inside its lock

    /**
     * Bytes of the next message: committed frames that lie in a row from {@link #start} on; 0 if there are none.
     *
     * @param longest bytes of a message at most
     */
    public int ready(int longest) {
        long end = tail();
        skip(end);
        int bytes = 0;
        for (long position = next; position < end; ) {
            long header = header(position);
            int type = Frames.type(header);
            int more = Frames.bytes(Frames.length(header));
            if (header == Frames.NOTHING || type == Frames.SKIP || bytes + more > longest) {
                break; // space that is not used does not travel
            }
            bytes += more;
            position += more;
            if (place(position) == 0) {
                break;
            }
        }
        return bytes;
    }

    private void skip(long end) {
        while (next < end) {
            long header = header(next);
            if (Frames.type(header) != Frames.SKIP) {
                break;
            }
            next += Frames.bytes(Frames.length(header));
        }
        // what is skipped is nobody's to release; if nothing is under way, nobody else writes the head either
        if (sentEnd != next && head() == sentEnd) {
            sentEnd = next;
            setHead(next);
        }
    }

    /** Where the next message begins. */
    public int start() {
        return place(next);
    }

    /** Position behind a message of so many bytes, which is sent now. */
    public long sent(int bytes) {
        next += bytes;
        sentEnd = next;
        return next;
    }

    /** Whether everything that was claimed is sent. */
    public boolean isEmpty() {
        skip(tail());
        return next == tail();
    }

    // ---- completions

    /** Gives the space before a position back. */
    public void release(long position) {
        setHead(position);
    }
}
