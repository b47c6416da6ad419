package org.galerna.link.ofi;

import org.galerna.nativeaccess.ofi.OfiEndpoint;
import org.jspecify.annotations.Nullable;

/** A read or write of a peer's memory that is started or under way. */
final class RemoteOperation implements Engine.Operation {
    /** What comes next. */
    @FunctionalInterface
    interface Step {
        /**
         * It is over; the polling thread.
         *
         * @param failure why it failed; null if it has not
         */
        void over(@Nullable String failure);
    }

    private final Transfers transfers;
    private final Peer peer;
    private final boolean read;
    private final long local;
    private final long descriptor;
    private final long length;
    private final long remote;
    private final long remoteKey;
    private final Step step;

    RemoteOperation(
            Transfers transfers,
            Peer peer,
            boolean read,
            long local,
            long descriptor,
            long length,
            long remote,
            long remoteKey,
            Step step) {
        this.transfers = transfers;
        this.peer = peer;
        this.read = read;
        this.local = local;
        this.descriptor = descriptor;
        this.length = length;
        this.remote = remote;
        this.remoteKey = remoteKey;
        this.step = step;
    }

    Peer peer() {
        return peer;
    }

    Step step() {
        return step;
    }

    boolean isRead() {
        return read;
    }

    long length() {
        return length;
    }

    /** Starts it; inside the lock. */
    int start(OfiEndpoint endpoint, long context) {
        return read
                ? endpoint.read(local, length, descriptor, peer.address(), remote, remoteKey, context)
                : endpoint.write(local, length, descriptor, peer.address(), remote, remoteKey, context);
    }

    @Override
    public void over(int bytes, @Nullable String failure) {
        transfers.finished(this, failure);
    }
}
