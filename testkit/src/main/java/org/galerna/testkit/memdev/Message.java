package org.galerna.testkit.memdev;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** What lies in a mailbox: a message, or the word that a rank has left. Guarded by the mailbox. */
final class Message implements Queue.Element<Message> {
    private final Queue.Links<Message> links = new Queue.Links<>();
    private @Nullable MemorySegment copy;
    private @Nullable MemorySegment kept;

    int source;
    int tag;
    int context;
    long length;
    boolean leaving;
    boolean probed;

    /** The send that is not complete before the message is received; null for one that has been copied. */
    @Nullable
    SendRequest send;

    @Override
    public Queue.Links<Message> links() {
        return links;
    }

    /** Whether its bytes are neither a short copy nor those of a send. */
    boolean isKept() {
        return kept != null;
    }

    /** Copies the bytes, so that the send is not needed any more. */
    void keep() {
        MemorySegment bytes = bytes();
        kept = MemorySegment.ofArray(new byte[(int) length]).copyFrom(bytes);
        send = null;
    }

    void start(int from, int withTag, int ofContext, long bytes) {
        source = from;
        tag = withTag;
        context = ofContext;
        length = bytes;
        leaving = false;
        probed = false;
        send = null;
        kept = null;
    }

    /** Where a message that is short enough is copied to. */
    MemorySegment copy() {
        MemorySegment memory = copy;
        if (memory == null) {
            memory = MemorySegment.ofArray(new byte[Mailbox.EAGER_LIMIT]);
            copy = memory;
        }
        return memory;
    }

    /** Where the bytes are. */
    MemorySegment bytes() {
        if (kept != null) {
            return kept;
        }
        SendRequest pending = send;
        return pending == null ? copy() : pending.bytes();
    }
}
