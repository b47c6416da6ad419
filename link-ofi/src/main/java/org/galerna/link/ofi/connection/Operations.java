package org.galerna.link.ofi.connection;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.galerna.link.ofi.adapter.Engine;
import org.galerna.link.ofi.adapter.OfiOptions;
import org.galerna.link.transfer.RemoteOperation;
import org.galerna.link.transfer.TransferNetwork;
import org.galerna.nativeaccess.ofi.OfiEndpoint;
import org.jspecify.annotations.Nullable;

/** Reads and writes of the memory of peers; those that are over wait here for the polling thread. */
public final class Operations implements TransferNetwork {
    private final Engine engine;
    private final OfiOptions options;
    private final Queue<Finished> finished = new ConcurrentLinkedQueue<>();

    public Operations(Engine engine, OfiOptions options) {
        this.engine = engine;
        this.options = options;
    }

    /** Starts one; false if there is no room at the moment. */
    boolean start(Peer peer, RemoteOperation operation) {
        engine.lock();
        try {
            if (engine.isClosed() || !peer.isConnected()) {
                return false;
            }
            int index = engine.begin((_, failure) -> finished.add(new Finished(operation, failure)));
            if (index == Engine.NO_ROOM) {
                return false;
            }
            int status = post(operation, peer.address(), engine.context(index));
            if (status != 0) {
                engine.cancel(index);
                if (OfiEndpoint.isBusy(status)) {
                    return false;
                }
                finished.add(new Finished(operation, engine.endpoint().describe(status)));
            }
            return true;
        } finally {
            engine.unlock();
        }
    }

    private int post(RemoteOperation operation, long peer, long context) {
        OfiEndpoint endpoint = engine.endpoint();
        return operation.isRead()
                ? endpoint.read(
                        operation.local(),
                        operation.length(),
                        operation.localKey(),
                        peer,
                        operation.remote(),
                        operation.remoteKey(),
                        context)
                : endpoint.write(
                        operation.local(),
                        operation.length(),
                        operation.localKey(),
                        peer,
                        operation.remote(),
                        operation.remoteKey(),
                        context,
                        !operation.isTold());
    }

    @Override
    public @Nullable Finished next() {
        return finished.poll();
    }

    @Override
    public boolean needsLocalRegistration() {
        return engine.endpoint().needsLocalRegistration();
    }

    @Override
    public int mostBytes() {
        return engine.endpoint().mostBytes();
    }

    @Override
    public int mostReads() {
        return Integer.MAX_VALUE;
    }

    @Override
    public boolean keepsOrder() {
        return engine.endpoint().keepsOrder();
    }

    /**
     * Short messages are read, because the receiver need not wait for the sender. Longer ones are written by the sender, if a
     * message can tell of that without waiting for the bytes; and so is what lies where the network does not read.
     */
    @Override
    public boolean isRead(long bytes, long local, long remote) {
        return bytes <= options.getLimit(keepsOrder())
                && ((local | remote | bytes) & (options.getAlignment() - 1)) == 0;
    }
}
