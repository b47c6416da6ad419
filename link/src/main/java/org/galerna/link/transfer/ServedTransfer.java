package org.galerna.link.transfer;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.galerna.link.support.RegistrationCache;
import org.jspecify.annotations.Nullable;

/**
 * A piece of a region of this rank that a peer has asked for, or wants to fill: written into the peer's memory, or read from
 * it; arrays through registered buffers, one copied while another is under way. The polling thread's.
 */
final class ServedTransfer implements Transfers.Work {
    private static final int WINDOW = 4;

    /** Each follows the one before. */
    private enum State {
        /** Waits for the peer; the memory is not prepared. */
        STARTING,

        /** Pieces are under way. */
        MOVING,

        /** The peer has been told the end; pieces may still be under way. */
        ANSWERED
    }

    private final Transfers transfers;
    private final TransferPeer peer;
    private final TransferFrame wanted;
    private final MemorySegment part;
    private final boolean outward;
    private State state = State.STARTING;
    private boolean staged;
    private RegistrationCache.@Nullable Entry<AdapterMemory> entry;
    private long next;
    private int underWay;
    private int status = TransferFrame.DONE;

    ServedTransfer(Transfers transfers, TransferPeer peer, TransferFrame wanted, MemorySegment part) {
        this.transfers = transfers;
        this.peer = peer;
        this.wanted = wanted;
        this.part = part;
        this.outward = wanted.kind() == TransferFrame.GET;
    }

    @Override
    public TransferPeer peer() {
        return peer;
    }

    @Override
    public boolean advance() {
        if (!peer.isUp()) {
            return false;
        }
        try {
            if (state == State.STARTING) {
                prepare();
            }
            while (status == TransferFrame.DONE && next < wanted.length() && underWay < WINDOW && startPiece()) {
                // the next one
            }
        } catch (IOException refused) {
            status = TransferFrame.BROKEN;
        }
        boolean started = next >= wanted.length();
        boolean over = underWay == 0 && (status != TransferFrame.DONE || started);
        if (over
                || (outward
                        && started
                        && status == TransferFrame.DONE
                        && transfers.network().keepsOrder())) {
            answer();
        }
        if (over) {
            end();
        }
        return over;
    }

    /** Once: when the bytes are there, or where a message cannot overtake them, when all are under way. */
    private void answer() {
        if (state != State.ANSWERED) {
            state = State.ANSWERED;
            transfers.answer(peer, TransferFrame.over(wanted.number(), status));
        }
    }

    private void prepare() {
        state = State.MOVING;
        staged = !part.isNative();
        if (!staged && part.byteSize() > 0 && transfers.network().needsLocalRegistration()) {
            try {
                entry = transfers.cache().acquire(part);
            } catch (IOException refused) {
                staged = true; // too much is registered already: it goes through buffers that are
            }
        }
    }

    private boolean startPiece() throws IOException {
        int most = Math.min(
                staged ? StagingPool.BYTES : Transfer.DIRECT_PIECE,
                transfers.network().mostBytes());
        int length = (int) Math.min(wanted.length() - next, most);
        long offset = next;
        StagingPool.Buffer buffer = staged ? transfers.staging().take() : null;
        if (staged && buffer == null) {
            return false;
        }
        if (buffer != null && outward && !copy(part, offset, buffer.memory(), 0, length)) {
            transfers.staging().giveBack(buffer);
            return false;
        }
        AdapterMemory memory = buffer != null ? buffer.registered() : entry == null ? null : entry.region();
        RemoteOperation operation = new RemoteOperation(
                peer,
                kind(),
                buffer != null ? buffer.memory().address() : part.address() + offset,
                memory == null ? 0 : memory.localKey(),
                length,
                wanted.address() + offset,
                wanted.remoteKey(),
                failure -> over(buffer, offset, length, failure));
        if (!transfers.start(operation)) {
            if (buffer != null) {
                transfers.staging().giveBack(buffer);
            }
            return false;
        }
        underWay++;
        next += length;
        return true;
    }

    private RemoteOperation.Kind kind() {
        if (!outward) {
            return RemoteOperation.Kind.READ;
        }
        return transfers.network().keepsOrder() ? RemoteOperation.Kind.TOLD_WRITE : RemoteOperation.Kind.WRITE;
    }

    private void over(StagingPool.@Nullable Buffer buffer, long offset, int length, @Nullable String failure) {
        underWay--;
        if (failure != null) {
            status = TransferFrame.BROKEN;
        } else if (buffer != null && !outward) {
            boolean unused = copy(buffer.memory(), 0, part, offset, length);
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

    private void end() {
        if (entry != null) {
            transfers.cache().release(entry);
            entry = null;
        }
    }

    @Override
    public void giveUp(String reason) {
        end();
    }
}
