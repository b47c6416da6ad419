package org.galerna.link.ofi.connection;

import org.galerna.link.ofi.adapter.Engine;
import org.galerna.nativeaccess.ofi.OfiEndpoint;
import org.jspecify.annotations.Nullable;

/** A read or write of a peer's memory that is started or under way. */
public final class RemoteOperation implements Engine.Operation {
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

    /** Has the next step done by the polling thread. */
    public interface Listener {
        /** An operation is over; inside the engine's lock. */
        void finished(RemoteOperation operation, @Nullable String failure);
    }

    private final Listener listener;
    private final Peer peer;
    private final boolean read;
    private final long local;
    private final long descriptor;
    private final long length;
    private final long remote;
    private final long remoteKey;
    private final Step step;

    public RemoteOperation(
            Listener listener,
            Peer peer,
            boolean read,
            long local,
            long descriptor,
            long length,
            long remote,
            long remoteKey,
            Step step) {
        this.listener = listener;
        this.peer = peer;
        this.read = read;
        this.local = local;
        this.descriptor = descriptor;
        this.length = length;
        this.remote = remote;
        this.remoteKey = remoteKey;
        this.step = step;
    }

    public Peer peer() {
        return peer;
    }

    public Step step() {
        return step;
    }

    public boolean isRead() {
        return read;
    }

    public long length() {
        return length;
    }

    /** Starts it; inside the lock. */
    public int start(OfiEndpoint endpoint, long context) {
        return read
                ? endpoint.read(local, length, descriptor, peer.address(), remote, remoteKey, context)
                : endpoint.write(local, length, descriptor, peer.address(), remote, remoteKey, context);
    }

    @Override
    public void over(int bytes, @Nullable String failure) {
        listener.finished(this, failure);
    }
}
