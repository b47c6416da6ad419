package org.galerna.link.verbs.transfer;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.galerna.link.CommunicationException;
import org.galerna.link.TransferCompletion;
import org.galerna.link.support.RegistrationCache;
import org.galerna.link.verbs.connection.Connection;
import org.galerna.link.verbs.connection.RemoteOperation;
import org.galerna.link.verbs.registered.StagingPool;
import org.galerna.link.verbs.wire.RemoteRegion;
import org.galerna.link.verbs.wire.TransferFrame;
import org.galerna.nativeaccess.verbs.MemoryRegion;
import org.galerna.nativeaccess.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/** A transfer that this rank has asked for, with several pieces under way at a time. The polling thread's. */
public final class Transfer implements Transfers.Work {
    /** Of memory that the adapter reaches. */
    private static final int DIRECT_PIECE = 1 << 20;

    private static final int WINDOW = 8;

    /** What becomes of it: {@code STARTING, MOVING, OVER} in turn, or {@code FAILING} from the first two on. */
    private enum State {
        /** Waits for the connection; the local memory is not prepared. */
        STARTING,

        /** Pieces are under way. */
        MOVING,

        /** No more pieces are started; those under way are waited for. */
        FAILING,

        /** The completion has been called. */
        OVER
    }

    private final Transfers transfers;
    private final Connection connection;
    private final int rank;
    private final boolean inward;
    private final RemoteRegion region;
    private final long remoteOffset;
    private final MemorySegment local;
    private final TransferCompletion completion;
    private final long bytes;
    private State state = State.STARTING;
    private RegistrationCache.@Nullable Entry<MemoryRegion> localEntry; // null if the bytes go through buffers
    private long next;
    private int underWay;
    private @Nullable String failure;

    public Transfer(
            Transfers transfers,
            Connection connection,
            int rank,
            boolean inward,
            RemoteRegion region,
            long remoteOffset,
            MemorySegment local,
            TransferCompletion completion) {
        this.transfers = transfers;
        this.connection = connection;
        this.rank = rank;
        this.inward = inward;
        this.region = region;
        this.remoteOffset = remoteOffset;
        this.local = local;
        this.completion = completion;
        this.bytes = local.byteSize();
    }

    @Override
    public Connection connection() {
        return connection;
    }

    @Override
    public boolean advance() {
        if (connection.state() != Connection.State.UP) {
            return false; // not yet, or it is about to be given up
        }
        try {
            if (state == State.STARTING) {
                prepare();
            }
            while (state == State.MOVING && next < bytes && underWay < WINDOW && startPiece()) {
                // the next one
            }
        } catch (VerbsException refused) {
            fail("no memory could be registered: " + refused.getMessage());
        }
        return endIfOver();
    }

    private void prepare() {
        state = State.MOVING;
        if (local.isNative() && bytes > 0) {
            try {
                localEntry = transfers.cache().acquire(local);
            } catch (IOException refused) {
                // too much is locked already: it goes through buffers that are
            }
        }
    }

    private void fail(String reason) {
        if (state != State.OVER) {
            state = State.FAILING;
        }
        if (failure == null) {
            failure = reason;
        }
    }

    private boolean endIfOver() {
        boolean over = underWay == 0 && (state == State.FAILING || (state == State.MOVING && next >= bytes));
        if (over) {
            state = State.OVER;
            if (localEntry != null) {
                transfers.cache().release(localEntry);
            }
            String reason = failure;
            completion.completed(
                    reason == null
                            ? null
                            : new CommunicationException("rank " + rank + ": " + (inward ? "reading " : "writing ")
                                    + bytes + " bytes " + (inward ? "from" : "to") + " the memory of rank "
                                    + connection.peer() + " has failed: " + reason));
        }
        return state == State.OVER;
    }

    private boolean startPiece() throws VerbsException {
        RegistrationCache.Entry<MemoryRegion> entry = localEntry;
        boolean small = entry == null || region.kind() == RemoteRegion.COPIED;
        int length = (int) Math.min(bytes - next, small ? StagingPool.BYTES : DIRECT_PIECE);
        StagingPool.Buffer buffer = entry == null ? transfers.staging().take() : null;
        if (entry == null && buffer == null) {
            return false;
        }
        if (buffer != null && !inward) {
            copy(local, next, buffer.memory(), 0, length);
        }
        if (state != State.MOVING || !startPiece(entry, buffer, length)) {
            if (buffer != null) {
                transfers.staging().giveBack(buffer);
            }
            return false;
        }
        underWay++;
        next += length;
        return true;
    }

    /** Starts a piece out of or into registered memory: that of the entry, or the buffer if there is one. */
    private boolean startPiece(
            RegistrationCache.@Nullable Entry<MemoryRegion> entry, StagingPool.@Nullable Buffer buffer, int length) {
        TransferPiece piece = new TransferPiece(this, buffer, next, length);
        long address = buffer != null ? buffer.memory().address() : local.address() + next;
        if (region.isDirect()) {
            int localKey = buffer != null ? buffer.region().localKey() : keyOf(entry, true);
            return transfers.start(
                    connection,
                    new RemoteOperation(
                            inward,
                            address,
                            localKey,
                            length,
                            region.address() + remoteOffset + next,
                            region.remoteKey(),
                            piece));
        }
        return transfers.ask(
                piece,
                new TransferFrame(
                        inward ? TransferFrame.GET : TransferFrame.PUT,
                        0,
                        transfers.nextNumber(),
                        region.key(),
                        remoteOffset + next,
                        length,
                        address,
                        buffer != null ? buffer.region().remoteKey() : keyOf(entry, false)));
    }

    private static int keyOf(RegistrationCache.@Nullable Entry<MemoryRegion> entry, boolean localKey) {
        if (entry == null) {
            return 0;
        }
        return localKey ? entry.region().localKey() : entry.region().remoteKey();
    }

    private void copy(MemorySegment from, long fromOffset, MemorySegment to, long toOffset, long length) {
        try {
            MemorySegment.copy(from, fromOffset, to, toOffset, length);
        } catch (RuntimeException inaccessible) { // freed, read-only, or another thread's alone
            fail("the memory of this rank cannot be accessed: " + inaccessible.getMessage());
        }
    }

    /** A piece is over. */
    void pieceOver(TransferPiece piece, @Nullable String reason) {
        underWay--;
        if (inward && region.isDirect()) {
            transfers.readOver(connection.peer());
        }
        StagingPool.Buffer buffer = piece.buffer();
        if (buffer != null) {
            if (reason == null && inward) {
                copy(buffer.memory(), 0, local, piece.offset(), piece.length());
            }
            transfers.staging().giveBack(buffer);
        }
        if (reason != null) {
            fail(reason);
        }
    }

    @Override
    public void giveUp(String reason) {
        fail("it is gone: " + reason);
        underWay = 0;
        endIfOver();
    }
}
