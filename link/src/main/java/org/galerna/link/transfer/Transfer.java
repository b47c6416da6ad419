package org.galerna.link.transfer;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.galerna.link.CommunicationException;
import org.galerna.link.TransferCompletion;
import org.galerna.link.support.RegistrationCache;
import org.jspecify.annotations.Nullable;

/** A transfer that this rank has asked for, with several pieces under way at a time. The polling thread's. */
final class Transfer implements Transfers.Work {
    /** Of memory that the network reaches. */
    static final int DIRECT_PIECE = 1 << 20;

    private static final int WINDOW = 8;

    /** What becomes of it: {@code STARTING, MOVING, OVER} in turn, or {@code FAILING} from the first two on. */
    private enum State {
        /** Waits for the peer; the local memory is not prepared. */
        STARTING,

        /** Pieces are under way. */
        MOVING,

        /** No more pieces are started; those under way are waited for. */
        FAILING,

        /** The completion has been called. */
        OVER
    }

    private final Transfers transfers;
    private final TransferPeer peer;
    private final int rank;
    private final boolean inward;
    private final RemoteRegion region;
    private final long remoteOffset;
    private final MemorySegment local;
    private final TransferCompletion completion;
    private final long bytes;
    private State state = State.STARTING;
    private boolean byOwner; // moves the bytes
    private boolean staged; // the bytes go through buffers here
    private RegistrationCache.@Nullable Entry<AdapterMemory> localEntry;
    private long next;
    private int underWay;
    private @Nullable String failure;

    Transfer(
            Transfers transfers,
            TransferPeer peer,
            int rank,
            boolean inward,
            RemoteRegion region,
            long remoteOffset,
            MemorySegment local,
            TransferCompletion completion) {
        this.transfers = transfers;
        this.peer = peer;
        this.rank = rank;
        this.inward = inward;
        this.region = region;
        this.remoteOffset = remoteOffset;
        this.local = local;
        this.completion = completion;
        this.bytes = local.byteSize();
    }

    /** A part of it that is under way. */
    final class Piece implements RemoteOperation.Step {
        private final StagingPool.@Nullable Buffer buffer;
        private final long offset;
        private final int length;

        private Piece(StagingPool.@Nullable Buffer buffer, long offset, int length) {
            this.buffer = buffer;
            this.offset = offset;
            this.length = length;
        }

        TransferPeer peer() {
            return peer;
        }

        @Override
        public void over(@Nullable String reason) {
            underWay--;
            if (buffer != null) {
                if (reason == null && inward) {
                    copy(buffer.memory(), 0, local, offset, length);
                }
                transfers.staging().giveBack(buffer);
            }
            if (reason != null) {
                fail(reason);
            }
        }
    }

    @Override
    public TransferPeer peer() {
        return peer;
    }

    @Override
    public boolean advance() {
        if (!peer.isUp()) {
            return false; // not yet, or it is about to be given up
        }
        try {
            if (state == State.STARTING) {
                prepare();
            }
            while (state == State.MOVING && next < bytes && underWay < WINDOW && startPiece()) {
                // the next one
            }
        } catch (IOException refused) {
            fail("no memory could be registered: " + refused.getMessage());
        }
        return endIfOver();
    }

    private void prepare() {
        state = State.MOVING;
        staged = !local.isNative();
        byOwner = !region.isDirect()
                || (inward
                        && !transfers
                                .network()
                                .isRead(bytes, staged ? 0 : local.address(), region.address() + remoteOffset));
        if (!staged && bytes > 0 && (byOwner || transfers.network().needsLocalRegistration())) {
            try {
                localEntry = transfers.cache().acquire(local);
            } catch (IOException refused) {
                staged = true; // too much is registered already: it goes through buffers that are
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
                                    + peer.peer() + " has failed: " + reason));
        }
        return state == State.OVER;
    }

    private boolean startPiece() throws IOException {
        boolean small = staged || region.kind() == RemoteRegion.COPIED;
        int most = Math.min(
                small ? StagingPool.BYTES : DIRECT_PIECE, transfers.network().mostBytes());
        int length = (int) Math.min(bytes - next, most);
        StagingPool.Buffer buffer = staged ? transfers.staging().take() : null;
        if (staged && buffer == null) {
            return false;
        }
        if (buffer != null && !inward) {
            copy(local, next, buffer.memory(), 0, length);
        }
        if (state != State.MOVING || !startPiece(new Piece(buffer, next, length))) {
            if (buffer != null) {
                transfers.staging().giveBack(buffer);
            }
            return false;
        }
        underWay++;
        next += length;
        return true;
    }

    private boolean startPiece(Piece piece) {
        StagingPool.Buffer buffer = piece.buffer;
        AdapterMemory memory = buffer != null ? buffer.registered() : localEntry == null ? null : localEntry.region();
        long address = buffer != null ? buffer.memory().address() : local.address() + next;
        if (!byOwner) {
            return transfers.start(new RemoteOperation(
                    peer,
                    inward ? RemoteOperation.Kind.READ : RemoteOperation.Kind.WRITE,
                    address,
                    memory == null ? 0 : memory.localKey(),
                    piece.length,
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
                        piece.length,
                        memory == null ? 0 : memory.remoteAddress(address),
                        memory == null ? 0 : memory.remoteKey()));
    }

    private void copy(MemorySegment from, long fromOffset, MemorySegment to, long toOffset, long length) {
        try {
            MemorySegment.copy(from, fromOffset, to, toOffset, length);
        } catch (RuntimeException inaccessible) { // freed, read-only, or another thread's alone
            fail("the memory of this rank cannot be accessed: " + inaccessible.getMessage());
        }
    }

    @Override
    public void giveUp(String reason) {
        fail("it is gone: " + reason);
        underWay = 0;
        boolean unused = endIfOver();
    }
}
