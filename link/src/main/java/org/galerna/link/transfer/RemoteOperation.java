package org.galerna.link.transfer;

import org.jspecify.annotations.Nullable;

/** A read or write of a peer's memory. */
public final class RemoteOperation {
    private final TransferPeer peer;
    private final Kind kind;
    private final long local;
    private final long localKey;
    private final int length;
    private final long remote;
    private final long remoteKey;
    private final Step step;

    /** What it does, and when it is over. */
    public enum Kind {
        /** Reads; over when the bytes are here. */
        READ,

        /** Writes; over when the bytes are at the peer. */
        WRITE,

        /** Writes, and a message that follows tells the peer; over when the local memory is free. */
        TOLD_WRITE
    }

    /** What comes next. */
    @FunctionalInterface
    public interface Step {
        /**
         * It is over; the polling thread.
         *
         * @param failure why it failed; null if it has not
         */
        void over(@Nullable String failure);
    }

    /**
     * Not started.
     *
     * @param local address in this process
     * @param localKey of the memory around it; 0 if it is not registered
     * @param length bytes
     * @param remote address at the peer, as the network wants it
     * @param remoteKey of the memory around it
     */
    public RemoteOperation(
            TransferPeer peer,
            Kind kind,
            long local,
            long localKey,
            int length,
            long remote,
            long remoteKey,
            Step step) {
        this.peer = peer;
        this.kind = kind;
        this.local = local;
        this.localKey = localKey;
        this.length = length;
        this.remote = remote;
        this.remoteKey = remoteKey;
        this.step = step;
    }

    TransferPeer peer() {
        return peer;
    }

    Step step() {
        return step;
    }

    /** Whether it reads. */
    public boolean isRead() {
        return kind == Kind.READ;
    }

    /** Whether it is over when the local memory is free: a message that follows tells the peer. */
    public boolean isTold() {
        return kind == Kind.TOLD_WRITE;
    }

    /** Address in this process. */
    public long local() {
        return local;
    }

    /** Key of the memory around it. */
    public long localKey() {
        return localKey;
    }

    /** Bytes. */
    public int length() {
        return length;
    }

    /** Address at the peer. */
    public long remote() {
        return remote;
    }

    /** Key of the memory around it. */
    public long remoteKey() {
        return remoteKey;
    }
}
