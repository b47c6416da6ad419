package org.galerna.testkit.device;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** What lies in a mailbox: a message, or the word that a rank has left. Guarded by the mailbox. */
final class Message implements Queue.Element<Message> {
    private final Queue.Links<Message> links = new Queue.Links<>();
    private @Nullable MemorySegment copy;

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

    void start(int from, int withTag, int ofContext, long bytes) {
        source = from;
        tag = withTag;
        context = ofContext;
        length = bytes;
        leaving = false;
        probed = false;
        send = null;
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
        SendRequest pending = send;
        return pending == null ? copy() : pending.bytes();
    }
}
