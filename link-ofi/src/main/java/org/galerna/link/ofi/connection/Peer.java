package org.galerna.link.ofi.connection;

import java.io.IOException;
import org.galerna.link.FrameHandler;
import org.galerna.link.ofi.adapter.Engine;
import org.galerna.link.ofi.adapter.ReceiveBuffers;
import org.galerna.link.ofi.adapter.Sizes;
import org.galerna.link.ofi.wire.Word;
import org.galerna.link.support.Frames;
import org.galerna.link.support.ProtocolException;
import org.galerna.link.support.SendRing;
import org.galerna.link.transfer.FramePeer;
import org.galerna.link.transfer.RemoteOperation;
import org.galerna.link.transfer.TransferFrame;
import org.galerna.link.transfer.TransferFrames;
import org.galerna.nativeaccess.ofi.OfiException;

/**
 * The way to one peer, and how far it has got. There is no connection: what a peer is to be told, it is told at its address. What
 * goes there is in its {@link SendQueue}, what has come from there in its {@link Inbound}.
 *
 * <p><b>Flow control.</b> A message of frames costs its sender a {@link Credit}, which comes back in the next message the other
 * way, after its receive was posted again; when half of them are due and no message goes the other way, in a message that has
 * nothing else, and costs no credit.
 *
 * <p><b>Threads.</b> Everything is guarded by the engine's lock, but for {@link Inbound}, which is the polling thread's.
 */
public final class Peer implements FramePeer {
    private static final int POSTED_AT_ONCE = 8;

    private final ConnectionListener listener;
    private final Engine engine;
    private final Operations operations;
    private final int rank;
    private final Credit credit;
    private final SendQueue out;
    private final Inbound inbound;
    private volatile PeerState state = PeerState.UNKNOWN; // written inside the lock
    private long arrivals; // messages of frames
    private volatile long arrived; // the same, for those outside the lock
    private int left; // of the polling thread: receives that were to be posted at its last look

    public Peer(
            ConnectionListener listener,
            Engine engine,
            Operations operations,
            int own,
            int rank,
            Sizes sizes,
            ReceiveBuffers buffers) {
        this.listener = listener;
        this.engine = engine;
        this.operations = operations;
        this.rank = rank;
        this.credit = new Credit(sizes);
        this.out = new SendQueue(listener, engine, own, rank, sizes, credit);
        this.inbound = new Inbound(rank, buffers.memory(), sizes.slotBytes());
    }

    @Override
    public int peer() {
        return rank;
    }

    @Override
    public boolean isUp() {
        return state != PeerState.GONE;
    }

    /** Whether its address is entered, and it is not gone. */
    public boolean isConnected() {
        return state == PeerState.CONNECTED;
    }

    // ---- coming and going

    /** Enters its address. */
    public void connect(byte[] bytes) throws OfiException {
        engine.lock();
        try {
            if (state == PeerState.UNKNOWN && !engine.isClosed()) {
                out.connect(engine.endpoint().connect(bytes));
                state = state.connect();
            }
        } finally {
            engine.unlock();
        }
    }

    /** Whether the provider has taken a message to it. */
    public boolean isReached() {
        engine.lock();
        try {
            return out.hasSent();
        } finally {
            engine.unlock();
        }
    }

    /** Makes the ring for frames to it. */
    public void open(boolean concurrentClaims) throws IOException {
        out.open(concurrentClaims);
    }

    /** The ring; it has been made. */
    public SendRing ring() {
        return out.ring();
    }

    /** The number by which operations name it. */
    long address() {
        return out.address();
    }

    /** Nothing is sent any more. */
    public void gone() {
        engine.lock();
        try {
            state = PeerState.GONE;
            out.disconnect();
        } finally {
            engine.unlock();
        }
    }

    /** Lets the memory of the ring go; when the endpoint does not touch it any more. */
    public void close() {
        out.close();
    }

    // ---- sending

    /** Sends what is committed, as far as there is room and credit. */
    public void flush() {
        engine.lock();
        try {
            out.pushUnlessRetried();
        } finally {
            engine.unlock();
        }
    }

    /** Whether the last {@link #flush} has left something behind that can still be sent. */
    public boolean isBlocked() {
        return out.isBlocked();
    }

    @Override
    public boolean start(RemoteOperation operation) {
        return operations.start(this, operation);
    }

    @Override
    public boolean sendTransfer(TransferFrame frame) {
        engine.lock();
        try {
            return out.sendTransfer(frame);
        } finally {
            engine.unlock();
        }
    }

    /** Sends everything that is claimed; true once it is over, or nobody wants it. For a rank that leaves. */
    public boolean finish() {
        engine.lock();
        try {
            out.push();
            return !isConnected() || out.isEmpty();
        } finally {
            engine.unlock();
        }
    }

    /** Messages of frames that were sent. */
    public long messages() {
        engine.lock();
        try {
            return credit.sent();
        } finally {
            engine.unlock();
        }
    }

    // ---- receiving

    /** A message has come; inside the lock. Returns whether its buffer is kept until it is handed over. */
    public boolean arrived(ReceiveBuffers.Slot slot, long header) {
        int word = Frames.word(header);
        credit.grant(Word.credits(word));
        boolean kept = false;
        if (Frames.type(header) != Frames.EMPTY) {
            kept = isUp() && inbound.add(Word.sequence(word), slot);
            arrived = ++arrivals;
            if (!kept && isUp()) {
                listener.lose(rank, "it sends more than it was given credit for");
            }
        }
        out.pushIfPeerWaited();
        return kept;
    }

    @Override
    public long received() {
        return arrived;
    }

    @Override
    public int deliver(FrameHandler handler, TransferFrames transfers, int limit) {
        if (!inbound.hasMore()) {
            return 0;
        }
        try {
            return inbound.deliver(handler, transfers, this, limit);
        } catch (ProtocolException wrong) {
            listener.lose(rank, "it does not keep to the protocol: " + wrong.getMessage());
            return 0;
        }
    }

    @Override
    public boolean hasInbound() {
        return inbound.hasMore();
    }

    /**
     * Posts the receives of what was handed over, and gives credits back if it is time; the polling thread. While few are to be
     * posted, that is left to the next look which finds nothing: a message may be what somebody waits for.
     *
     * @return whether something is left
     */
    public boolean settle(ReceiveBuffers buffers) {
        int freed = inbound.freed();
        boolean more = freed > left;
        left = freed;
        if (more && freed < POSTED_AT_ONCE) {
            return true;
        }
        if (freed > 0 || owesCredits()) {
            post(buffers, freed);
        }
        return owesCredits();
    }

    private void post(ReceiveBuffers buffers, int freed) {
        engine.lock();
        try {
            if (engine.isClosed()) {
                return;
            }
            inbound.postFreed(buffers);
            left = 0;
            credit.consume(freed);
            if (owesCredits()) {
                out.sendCredits();
            }
        } finally {
            engine.unlock();
        }
    }

    /** Whether credits are due; also read by the polling thread, which alone makes it true. */
    public boolean owesCredits() {
        return isUp() && credit.isDue();
    }

    /** Drops what was not handed over; the polling thread. */
    public void discardInbound(ReceiveBuffers buffers) {
        inbound.discard();
        engine.lock();
        try {
            if (!engine.isClosed()) {
                inbound.postFreed(buffers);
            }
        } finally {
            engine.unlock();
        }
    }
}
