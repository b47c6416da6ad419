package org.galerna.link.ucx;

import java.lang.foreign.MemorySegment;
import org.galerna.link.CommunicationException;
import org.galerna.link.TransferCompletion;
import org.galerna.nativeaccess.ucx.UcxException;
import org.galerna.nativeaccess.ucx.UcxMemory;
import org.galerna.nativeaccess.ucx.UcxWorker;
import org.jspecify.annotations.Nullable;

/**
 * A get or put by UCX: of memory outside the heap at once, of an array in pieces through memory outside the heap, of which several
 * are under way. Guarded by the worker's lock.
 */
final class Transfer {
    /** A piece of an array. */
    static final int PIECE = 256 * 1024;

    private static final int WINDOW = 4;

    private final Worker worker;
    private final Peer peer;
    private final int rank;
    private final boolean inward;
    private final RemoteRegion region;
    private final long remote;
    private final MemorySegment local;
    private final Pieces pieces;
    private final TransferCompletion completion;
    private final boolean direct;
    private final long bytes;
    private long key;
    private long next;
    private int underWay;
    private boolean over;
    private @Nullable String failure;

    Transfer(
            Worker worker,
            Peer peer,
            int rank,
            boolean inward,
            RemoteRegion region,
            long offset,
            MemorySegment local,
            Pieces pieces,
            TransferCompletion completion) {
        this.worker = worker;
        this.peer = peer;
        this.rank = rank;
        this.inward = inward;
        this.region = region;
        this.remote = region.address() + offset;
        this.local = local;
        this.pieces = pieces;
        this.completion = completion;
        this.direct = local.isNative();
        this.bytes = local.byteSize();
    }

    /** Begins; true if it is over by then, else {@code whenOver} is called later. */
    boolean begin(Runnable whenOver) {
        if (peer.endpoint() == 0) {
            fail("it is gone");
        } else {
            try {
                key = UcxMemory.unpack(worker.ucx, peer.endpoint(), region.key());
            } catch (UcxException wrong) {
                fail(String.valueOf(wrong.getMessage()));
            }
        }
        return advance(whenOver);
    }

    private boolean advance(Runnable whenOver) {
        while (failure == null && next < bytes && underWay < (direct ? 1 : WINDOW)) {
            startPiece(whenOver);
        }
        if (underWay > 0 || (failure == null && next < bytes) || over) {
            return false;
        }
        over = true;
        if (key != 0) {
            UcxMemory.forget(worker.ucx, key);
        }
        return true;
    }

    private void startPiece(Runnable whenOver) {
        long at = next;
        long length = direct ? bytes : Math.min(PIECE, bytes - at);
        MemorySegment piece = direct ? null : pieces.take();
        if (piece != null && !inward && !copy(local, at, piece, 0, length)) {
            pieces.give(piece);
            return;
        }
        if (peer.endpoint() == 0) {
            fail("it is gone");
            return;
        }
        long address = piece == null ? local.address() : piece.address();
        next += length;
        underWay++;
        long request = inward
                ? UcxMemory.get(worker.ucx, peer.endpoint(), address, length, remote + at, key)
                : UcxMemory.put(worker.ucx, peer.endpoint(), address, length, remote + at, key);
        if (request == 0 || UcxWorker.isError(request)) {
            pieceOver(piece, at, length, (int) request);
        } else {
            worker.begin(request, status -> {
                pieceOver(piece, at, length, status);
                if (advance(whenOver)) {
                    whenOver.run();
                }
            });
        }
    }

    private void pieceOver(@Nullable MemorySegment piece, long at, long length, int status) {
        underWay--;
        if (status != UcxWorker.OK) {
            fail(worker.ucx.describe(status));
        } else if (piece != null && inward) {
            copy(piece, 0, local, at, length);
        }
        if (piece != null) {
            pieces.give(piece);
        }
    }

    private boolean copy(MemorySegment from, long fromOffset, MemorySegment to, long toOffset, long length) {
        try {
            MemorySegment.copy(from, fromOffset, to, toOffset, length);
            return true;
        } catch (RuntimeException inaccessible) { // freed, read-only, or another thread's alone
            fail("the memory of this rank cannot be accessed: " + inaccessible.getMessage());
            return false;
        }
    }

    private void fail(String reason) {
        if (failure == null) {
            failure = reason;
        }
    }

    /** Tells how it has ended; without the lock. */
    void complete() {
        completion.completed(
                failure == null
                        ? null
                        : new CommunicationException("rank " + rank + ": " + (inward ? "reading " : "writing ") + bytes
                                + " bytes " + (inward ? "from" : "to") + " the memory of rank " + peer.rank
                                + " has failed: " + failure));
    }
}
