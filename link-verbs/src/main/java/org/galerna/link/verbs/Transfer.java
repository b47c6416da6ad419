package org.galerna.link.verbs;

import java.lang.foreign.MemorySegment;
import org.galerna.link.CommunicationException;
import org.galerna.link.TransferCompletion;
import org.galerna.nativeaccess.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * A transfer that this rank has asked for. First the entry of the region is read, unless the owner serves it; then its
 * pieces are under way, several at a time. The polling thread's.
 */
final class Transfer implements Transfers.Work {
    /** Of memory that the adapter reaches. */
    private static final int DIRECT_PIECE = 1 << 20;

    private static final int WINDOW = 8;

    private final Transfers transfers;
    private final Connection connection;
    private final int rank;
    private final boolean inward;
    private final long key;
    private final long remoteOffset;
    private final MemorySegment local;
    private final TransferCompletion completion;
    private final long bytes;
    private StagingPool.@Nullable Buffer entryBuffer;
    private boolean lookingUp;
    private RegionDirectory.@Nullable Found found;
    private RegistrationCache.@Nullable Entry localEntry;
    private boolean staged;
    private boolean prepared;
    private long next;
    private int underWay;
    private @Nullable String failure;
    private boolean completed;

    Transfer(
            Transfers transfers,
            Connection connection,
            int rank,
            boolean inward,
            long key,
            long remoteOffset,
            MemorySegment local,
            TransferCompletion completion) {
        this.transfers = transfers;
        this.connection = connection;
        this.rank = rank;
        this.inward = inward;
        this.key = key;
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
            if (failure == null && found == null && !Regions.isServed(key)) {
                lookUp();
            } else if (failure == null) {
                prepare();
                while (failure == null && next < bytes && underWay < WINDOW && startPiece()) {
                    // the next one
                }
            }
        } catch (VerbsException refused) {
            fail("no memory could be registered: " + refused.getMessage());
        }
        return completeIfOver();
    }

    private boolean completeIfOver() {
        boolean over = underWay == 0 && !lookingUp && (failure != null || (next >= bytes && prepared));
        if (over && !completed) {
            completed = true;
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
        return over;
    }

    private void fail(String reason) {
        if (failure == null) {
            failure = reason;
        }
    }

    // ---- the entry

    private void lookUp() throws VerbsException {
        PeerInfo info = connection.info();
        if (lookingUp || info == null) {
            return;
        }
        if (!Regions.isKey(key)) {
            fail(TransferFrame.describe(TransferFrame.NO_REGION));
            return;
        }
        StagingPool.Buffer buffer =
                entryBuffer != null ? entryBuffer : transfers.staging().take();
        entryBuffer = buffer;
        if (buffer == null) {
            return;
        }
        lookingUp = transfers.start(
                connection,
                new RemoteOperation(
                        true,
                        buffer.memory().address(),
                        buffer.region().localKey(),
                        RegionDirectory.ENTRY_BYTES,
                        info.directory() + RegionDirectory.offset(key),
                        info.directoryKey(),
                        new RemoteOperation.Step() {
                            @Override
                            public void done() {
                                lookedUp(buffer);
                            }

                            @Override
                            public void failed(String reason) {
                                lookupOver(buffer);
                                fail(reason);
                            }
                        }));
    }

    private void lookupOver(StagingPool.Buffer buffer) {
        transfers.readOver(connection.peer());
        lookingUp = false;
        entryBuffer = null;
        transfers.staging().giveBack(buffer);
    }

    private void lookedUp(StagingPool.Buffer buffer) {
        RegionDirectory.Found entry = RegionDirectory.find(buffer.memory(), key);
        lookupOver(buffer);
        if (entry == null || !entry.contains(remoteOffset, bytes)) {
            fail(TransferFrame.describe(TransferFrame.NO_REGION));
        } else {
            found = entry;
        }
    }

    // ---- pieces

    private void prepare() {
        if (prepared) {
            return;
        }
        prepared = true;
        staged = !local.isNative();
        if (!staged && bytes > 0) {
            try {
                localEntry = transfers.cache().acquire(local);
            } catch (VerbsException refused) {
                staged = true; // too much is locked already
            }
        }
    }

    private boolean startPiece() throws VerbsException {
        boolean served = Regions.isServed(key);
        boolean small = staged || (served && (key & Regions.SERVED_NATIVE) == 0);
        int length = (int) Math.min(bytes - next, small ? StagingPool.BYTES : DIRECT_PIECE);
        StagingPool.Buffer buffer = null;
        long address;
        int localKey;
        int remoteKey;
        RegistrationCache.Entry entry = localEntry;
        if (entry == null) {
            buffer = transfers.staging().take();
            if (buffer == null) {
                return false;
            }
            address = buffer.memory().address();
            localKey = buffer.region().localKey();
            remoteKey = buffer.region().remoteKey();
            if (!inward) {
                copy(local, next, buffer.memory(), 0, length);
            }
        } else {
            address = local.address() + next;
            localKey = entry.localKey();
            remoteKey = entry.remoteKey();
        }
        TransferPiece piece = new TransferPiece(this, buffer, next, length);
        RegionDirectory.Found region = found;
        boolean started = failure == null
                && ((served || region == null)
                        ? transfers.ask(
                                piece,
                                new TransferFrame(
                                        inward ? TransferFrame.GET : TransferFrame.PUT,
                                        0,
                                        transfers.nextNumber(),
                                        key,
                                        remoteOffset + next,
                                        length,
                                        address,
                                        remoteKey))
                        : transfers.start(
                                connection,
                                new RemoteOperation(
                                        inward,
                                        address,
                                        localKey,
                                        length,
                                        region.address() + remoteOffset + next,
                                        region.remoteKey(),
                                        piece)));
        if (!started) {
            if (buffer != null) {
                transfers.staging().giveBack(buffer);
            }
            return false;
        }
        underWay++;
        next += length;
        return true;
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
        if (inward && found != null) {
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
        if (entryBuffer != null && !lookingUp) {
            transfers.staging().giveBack(entryBuffer);
        }
        lookingUp = false;
        underWay = 0;
        completeIfOver();
    }
}
