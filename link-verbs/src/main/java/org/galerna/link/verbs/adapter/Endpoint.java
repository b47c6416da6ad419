package org.galerna.link.verbs.adapter;

import java.lang.foreign.MemorySegment;
import org.galerna.nativeaccess.verbs.MemoryRegion;
import org.galerna.nativeaccess.verbs.QueuePair;
import org.galerna.nativeaccess.verbs.VerbsException;

/** What a connection has of the adapter: a queue pair, receives for its peer, and the memory that it sends out of. */
public final class Endpoint implements AutoCloseable {
    private final Belongings belongings = new Belongings();
    private final QueuePair pair;
    private final int ringKey;
    private final int wordKey;

    /**
     * All of it, or nothing; the receives are posted when this returns.
     *
     * @param ring memory of frames
     * @param words memory of what the link itself says
     * @throws IllegalStateException if there is no room for one more peer
     */
    public Endpoint(Attachment attachment, ReceivePool pool, MemorySegment ring, MemorySegment words)
            throws VerbsException {
        try {
            this.ringKey = register(attachment, ring);
            this.wordKey = register(attachment, words);
            pool.admit();
            AutoCloseable ignored = belongings.keep(pool::dismiss); // after the queue pair, which takes them
            this.pair = belongings.keep(attachment.newQueuePair());
        } catch (VerbsException | RuntimeException failed) {
            close();
            throw failed;
        }
    }

    private int register(Attachment attachment, MemorySegment memory) throws VerbsException {
        MemoryRegion region = attachment.domain().register(memory.address(), memory.byteSize());
        return belongings.keep(region).localKey();
    }

    public QueuePair pair() {
        return pair;
    }

    /** The adapter's key of the memory of frames. */
    public int ringKey() {
        return ringKey;
    }

    /** The adapter's key of the memory of what the link itself says. */
    public int wordKey() {
        return wordKey;
    }

    /** Gives everything back; nothing of it may be polled any more. Idempotent. */
    @Override
    public void close() {
        belongings.close();
    }
}
