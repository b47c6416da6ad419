package org.galerna.link.transfer;

import org.jspecify.annotations.Nullable;

/** What networks differ in. The polling thread's. */
public interface TransferNetwork {
    /** An operation that is over, and why it has failed; null if it has not. */
    record Finished(RemoteOperation operation, @Nullable String failure) {}

    /** Takes the next operation that is over; null if there is none. */
    @Nullable
    Finished next();

    /** Whether operations name memory of this rank by a key, so that it must be registered. */
    boolean needsLocalRegistration();

    /** Most bytes of one operation. */
    int mostBytes();

    /** Most reads from one peer at a time; one more would hold up everything behind it. */
    int mostReads();

    /**
     * Whether a message never arrives before writes that were started before it, and does not arrive if one of them fails. If so,
     * the end of writes is told as soon as they are started.
     */
    boolean keepsOrder();

    /**
     * Whether the receiver reads memory that the network reaches. If not, the sender writes it.
     *
     * @param bytes of the whole transfer
     * @param local address here; 0 if the bytes go through buffers
     * @param remote address at the peer
     */
    boolean isRead(long bytes, long local, long remote);
}
