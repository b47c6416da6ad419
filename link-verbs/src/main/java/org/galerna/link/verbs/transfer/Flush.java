package org.galerna.link.verbs.transfer;

import java.io.IOException;
import org.galerna.link.CommunicationException;
import org.galerna.link.TransferCompletion;
import org.galerna.link.transfer.RemoteOperation;
import org.galerna.link.transfer.StagingPool;
import org.galerna.link.transfer.Transfers;
import org.galerna.link.verbs.connection.Connection;
import org.galerna.link.verbs.registered.FlushTarget;
import org.galerna.link.verbs.wire.PeerInfo;
import org.jspecify.annotations.Nullable;

/**
 * The end of a flush: a read behind all writes to a peer. The adapter of the peer carries out both in their order, so that the
 * writes are in memory when the read is over; that they are acknowledged does not say so. The polling thread's.
 */
public final class Flush implements Transfers.Work, RemoteOperation.Step {
    private enum State {
        WAITING,
        READING,
        OVER
    }

    private final Transfers transfers;
    private final Connection connection;
    private final TransferCompletion completion;
    private State state = State.WAITING;
    private StagingPool.@Nullable Buffer buffer;

    public Flush(Transfers transfers, Connection connection, TransferCompletion completion) {
        this.transfers = transfers;
        this.connection = connection;
        this.completion = completion;
    }

    @Override
    public Connection peer() {
        return connection;
    }

    @Override
    public boolean advance() {
        PeerInfo info = connection.info();
        if (state == State.WAITING && connection.isUp() && info != null) {
            try {
                read(info);
            } catch (IOException refused) {
                end("no memory could be registered: " + refused.getMessage());
            }
        }
        return state == State.OVER;
    }

    private void read(PeerInfo info) throws IOException {
        StagingPool.Buffer taken = buffer != null ? buffer : transfers.staging().take();
        buffer = taken;
        if (taken != null
                && transfers.start(new RemoteOperation(
                        connection,
                        RemoteOperation.Kind.READ,
                        taken.memory().address(),
                        taken.registered().localKey(),
                        FlushTarget.BYTES,
                        info.flushAddress(),
                        info.flushKey(),
                        this))) {
            state = State.READING;
        }
    }

    @Override
    public void over(@Nullable String reason) {
        end(reason);
    }

    @Override
    public void giveUp(String reason) {
        end("it is gone: " + reason);
    }

    private void end(@Nullable String reason) {
        if (state == State.OVER) {
            return;
        }
        state = State.OVER;
        if (buffer != null) {
            transfers.staging().giveBack(buffer);
        }
        completion.completed(
                reason == null
                        ? null
                        : new CommunicationException("what was written to the memory of rank " + connection.peer()
                                + " may not be there: " + reason));
    }
}
