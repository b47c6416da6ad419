package org.galerna.link.verbs.transfer;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.galerna.link.support.RegistrationCache;
import org.galerna.link.verbs.connection.Connection;
import org.galerna.link.verbs.connection.RemoteOperation;
import org.galerna.link.verbs.registered.StagingPool;
import org.galerna.link.verbs.wire.TransferFrame;
import org.galerna.nativeaccess.verbs.MemoryRegion;
import org.galerna.nativeaccess.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * A piece of a region of this rank that a peer has asked for, or wants to fill: written into the peer's memory, or read from
 * it; arrays through registered buffers, one copied while another is under way. The polling thread's.
 */
final class ServedTransfer implements Transfers.Work {
    private static final int DIRECT_PIECE = 1 << 20;
    private static final int WINDOW = 4;

    private final Transfers transfers;
    private final Connection connection;
    private final TransferFrame wanted;
    private final MemorySegment part;
    private final boolean outward;
    private State state = State.STARTING;
    private RegistrationCache.@Nullable Entry<MemoryRegion> entry; // null if the bytes go through buffers
    private long next;
    private int underWay;
    private int status = TransferFrame.DONE;

    /** Each follows the one before. */
    private enum State {
        /** Waits for the connection; the memory is not prepared. */
        STARTING,

        /** Pieces are under way. */
        MOVING,

        /** The peer has been told the end; pieces may still be under way. */
        ANSWERED
    }

    ServedTransfer(Transfers transfers, Connection connection, TransferFrame wanted, MemorySegment part) {
        this.transfers = transfers;
        this.connection = connection;
        this.wanted = wanted;
        this.part = part;
        this.outward = wanted.kind() == TransferFrame.GET;
    }

    @Override
    public Connection connection() {
        return connection;
    }

    @Override
    public boolean advance() {
        if (connection.state() != Connection.State.UP) {
            return false;
        }
        try {
            if (state == State.STARTING) {
                prepare();
            }
            while (status == TransferFrame.DONE && next < wanted.length() && underWay < WINDOW && startPiece()) {
                // the next one
            }
        } catch (VerbsException refused) {
            status = TransferFrame.BROKEN;
        }
        boolean posted = next >= wanted.length();
        boolean over = underWay == 0 && (status != TransferFrame.DONE || posted);
        if (over || (outward && posted && status == TransferFrame.DONE)) {
            answer();
        }
        if (over) {
            end();
        }
        return over;
    }

    /**
     * Once. Writes need not be complete here: what is sent after them arrives after them, and does not arrive if one of them
     * fails, which breaks the connection.
     */
    private void answer() {
        if (state != State.ANSWERED) {
            state = State.ANSWERED;
            transfers.answer(connection, TransferFrame.over(wanted.number(), status));
        }
    }

    private void end() {
        if (entry != null) {
            transfers.cache().release(entry);
            entry = null;
        }
    }

    private void prepare() {
        state = State.MOVING;
        if (part.isNative() && part.byteSize() > 0) {
            try {
                entry = transfers.cache().acquire(part);
            } catch (IOException refused) {
                // too much is locked already: it goes through buffers that are
            }
        }
    }

    private boolean startPiece() throws VerbsException {
        RegistrationCache.Entry<MemoryRegion> registered = entry;
        int length = (int) Math.min(wanted.length() - next, registered == null ? StagingPool.BYTES : DIRECT_PIECE);
        long offset = next;
        StagingPool.Buffer buffer = registered == null ? transfers.staging().take() : null;
        if (registered == null && buffer == null) {
            return false;
        }
        if (buffer != null && outward && !copy(part, offset, buffer.memory(), 0, length)) {
            transfers.staging().giveBack(buffer);
            return false;
        }
        RemoteOperation operation = new RemoteOperation(
                !outward,
                buffer != null ? buffer.memory().address() : part.address() + offset,
                buffer != null ? buffer.region().localKey() : keyOf(registered),
                length,
                wanted.address() + offset,
                wanted.remoteKey(),
                new RemoteOperation.Step() {
                    @Override
                    public void done() {
                        if (buffer != null && !outward) {
                            copy(buffer.memory(), 0, part, offset, length);
                        }
                        over(buffer);
                    }

                    @Override
                    public void failed(String reason) {
                        status = TransferFrame.BROKEN;
                        over(buffer);
                    }
                });
        if (!transfers.start(connection, operation)) {
            if (buffer != null) {
                transfers.staging().giveBack(buffer);
            }
            return false;
        }
        underWay++;
        next += length;
        return true;
    }

    private static int keyOf(RegistrationCache.@Nullable Entry<MemoryRegion> registered) {
        return registered == null ? 0 : registered.region().localKey();
    }

    private void over(StagingPool.@Nullable Buffer buffer) {
        underWay--;
        if (!outward) {
            transfers.readOver(connection.peer());
        }
        if (buffer != null) {
            transfers.staging().giveBack(buffer);
        }
    }

    private boolean copy(MemorySegment from, long fromOffset, MemorySegment to, long toOffset, long length) {
        try {
            MemorySegment.copy(from, fromOffset, to, toOffset, length);
            return true;
        } catch (RuntimeException inaccessible) { // freed, read-only, or another thread's alone
            status = TransferFrame.NO_ACCESS;
            return false;
        }
    }

    @Override
    public void giveUp(String reason) {
        end();
    }
}
