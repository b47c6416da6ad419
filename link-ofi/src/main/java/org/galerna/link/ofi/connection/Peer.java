package org.galerna.link.ofi.connection;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
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
import org.galerna.nativeaccess.ofi.OfiEndpoint;
import org.galerna.nativeaccess.ofi.OfiException;
import org.jspecify.annotations.Nullable;

/**
 * The way to one peer, and what is under way on it. There is no connection: what a peer is to be told, it is told at its address.
 *
 * <p><b>Flow control.</b> A message of frames costs its sender a credit, which comes back in the next message the other way, after
 * its receive was posted again; when half of them are due and no message goes the other way, in a message that has nothing else,
 * and costs no credit.
 *
 * <p><b>Threads.</b> Everything is guarded by the engine's lock, but for {@link Inbound}, which is the polling thread's.
 */
public final class Peer implements Engine.Sender, FramePeer {
    private static final int SENDS = 128;
    private static final int POSTED_AT_ONCE = 8;

    /** What the frames in the ring wait for that can still be sent. */
    private enum Backlog {
        NONE,
        /** Credit of the peer, or that sends are over. */
        WAITS_FOR_PEER,
        /** Room at the provider; the engine tries again when it makes progress. */
        WAITS_FOR_PROVIDER
    }

    private final ConnectionListener listener;
    private final Engine engine;
    private final Operations operations;
    private final int own;
    private final int rank;
    private final Sizes sizes;
    private final Inbound inbound;
    private final Send[] sends = new Send[SENDS];
    private volatile PeerState state = PeerState.UNKNOWN; // written inside the lock, as the backlog
    private long address;
    private @Nullable SendRing ring;
    private Engine.@Nullable Registered ringMemory;
    private boolean waits; // the first message, and that is told
    private long posted;
    private long completed;
    private final Credit credit;
    private long arrivals; // messages of frames
    private volatile long arrived; // the same, for those outside the lock
    private volatile Backlog backlog = Backlog.NONE;
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
        this.own = own;
        this.rank = rank;
        this.sizes = sizes;
        this.inbound = new Inbound(rank, buffers.memory(), sizes.slotBytes());
        this.credit = new Credit(sizes);
        for (int index = 0; index < SENDS; index++) {
            sends[index] = new Send();
        }
    }

    /** A message that was sent, of which the ring is free up to {@code end} once it is over. */
    private final class Send implements Engine.Operation {
        long end;
        boolean over;

        @Override
        public void over(int length, @Nullable String failure) {
            over = true;
            release();
            if (failure != null) {
                listener.lose(rank, "a message to it has failed: " + failure);
            } else if (backlog == Backlog.WAITS_FOR_PEER) {
                push();
            }
        }
    }

    /** Gives the ring back as far as all sends are over: a provider may complete them in any order. */
    private void release() {
        SendRing mine = ring;
        while (completed < posted && sends[(int) completed & (SENDS - 1)].over) {
            if (mine != null) {
                mine.release(sends[(int) completed & (SENDS - 1)].end);
            }
            completed++;
        }
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
                address = engine.endpoint().connect(bytes);
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
            return posted > 0;
        } finally {
            engine.unlock();
        }
    }

    /** Makes the ring for frames to it. */
    public void open(boolean concurrentClaims) throws IOException {
        if (ring == null) {
            SendRing made = new SendRing(sizes.ringBytes(), concurrentClaims);
            Engine.Registered memory = engine.endpoint().needsLocalRegistration()
                    ? engine.register(made.memory().address(), made.memory().byteSize())
                    : null;
            engine.lock();
            try {
                ring = made;
                ringMemory = memory;
            } finally {
                engine.unlock();
            }
        }
    }

    /** The ring; it has been made. */
    public SendRing ring() {
        SendRing made = ring;
        if (made == null) {
            throw new IllegalStateException("no channel to rank " + rank);
        }
        return made;
    }

    /** The number by which operations name it. */
    long address() {
        return address;
    }

    /** Nothing is sent any more. */
    public void gone() {
        engine.lock();
        try {
            state = PeerState.GONE;
            backlog = Backlog.NONE;
        } finally {
            engine.unlock();
        }
    }

    /** Lets the memory of the ring go; when the endpoint does not touch it any more. */
    public void close() {
        Engine.Registered memory = ringMemory;
        if (memory != null) {
            memory.close();
        }
    }

    // ---- sending

    /** Sends what is committed, as far as there is room and credit. */
    public void flush() {
        engine.lock();
        try {
            if (backlog != Backlog.WAITS_FOR_PROVIDER) {
                push();
            }
        } finally {
            engine.unlock();
        }
    }

    /** Whether the last {@link #flush} has left something behind that can still be sent. */
    public boolean isBlocked() {
        return backlog != Backlog.NONE;
    }

    /** As {@link #flush}, inside the lock. */
    @Override
    public void push() {
        backlog = Backlog.NONE;
        SendRing mine = ring;
        if (mine == null || engine.isClosed() || !isConnected()) {
            return;
        }
        int bytes;
        while ((bytes = mine.ready(sizes.slotBytes())) > 0) {
            if (!credit.isLeft() || !hasRoom()) {
                backlog = Backlog.WAITS_FOR_PEER;
                return;
            }
            if (!send(mine, bytes)) {
                return;
            }
        }
    }

    private boolean hasRoom() {
        return posted - completed < SENDS;
    }

    private boolean send(SendRing mine, int bytes) {
        int start = mine.start();
        int due = credit.due();
        MemorySegment memory = mine.memory();
        memory.set(
                Frames.LONG, start, Frames.withWord(memory.get(Frames.LONG, start), Word.of(own, credit.sent(), due)));
        long from = memory.address() + start;
        OfiEndpoint endpoint = engine.endpoint();
        Send next = sends[(int) posted & (SENDS - 1)];
        boolean injected = bytes <= endpoint.injectBytes();
        int status;
        if (injected) {
            status = endpoint.inject(from, bytes, address);
        } else {
            int index = engine.begin(next);
            if (index == Engine.NO_ROOM) {
                retryLater();
                return false;
            }
            Engine.Registered registered = ringMemory;
            status = endpoint.send(
                    from, bytes, registered == null ? 0 : registered.localKey(), address, engine.context(index));
            if (status != 0) {
                engine.cancel(index);
            }
        }
        if (status != 0) {
            failed(status);
            return false;
        }
        next.end = mine.sent(bytes);
        sent(next, injected, due);
        credit.use();
        return true;
    }

    private void sent(Send send, boolean over, int due) {
        send.over = over;
        posted++;
        credit.giveBack(due);
        if (over) {
            release();
        }
    }

    private void failed(int status) {
        if (OfiEndpoint.isBusy(status)) {
            retryLater();
        } else {
            listener.lose(
                    rank, "a message to it has failed: " + engine.endpoint().describe(status));
        }
    }

    private void retryLater() {
        if (backlog != Backlog.WAITS_FOR_PROVIDER) {
            backlog = Backlog.WAITS_FOR_PROVIDER;
            engine.retryLater(this);
            if (posted == 0 && !waits) {
                waits = true;
                listener.waitsFor(rank);
            }
        }
    }

    /** Says something that the link itself has to say; false if there is no room at the moment. */
    private boolean sendWord(int type, @Nullable TransferFrame frame) {
        Send next = sends[(int) posted & (SENDS - 1)];
        int index = hasRoom() && isConnected() ? engine.begin(next) : Engine.NO_ROOM;
        if (index == Engine.NO_ROOM) {
            return false;
        }
        int due = credit.due();
        int length = frame == null ? 0 : TransferFrame.BYTES;
        long at = Engine.wordAt(index);
        engine.words()
                .set(Frames.LONG, at, Frames.withWord(Frames.header(type, length), Word.of(own, credit.sent(), due)));
        if (frame != null) {
            frame.write(engine.words(), at + Frames.HEADER_BYTES);
        }
        int status = engine.endpoint()
                .send(
                        engine.words().address() + at,
                        Frames.bytes(length),
                        engine.wordsDescriptor(),
                        address,
                        engine.context(index));
        if (status != 0) {
            engine.cancel(index);
            if (!OfiEndpoint.isBusy(status)) {
                failed(status);
            }
            return false;
        }
        next.end = posted == 0 ? 0 : sends[(int) (posted - 1) & (SENDS - 1)].end;
        sent(next, false, due);
        return true;
    }

    @Override
    public boolean start(RemoteOperation operation) {
        return operations.start(this, operation);
    }

    @Override
    public boolean sendTransfer(TransferFrame frame) {
        engine.lock();
        try {
            if (!credit.isLeft() || !sendWord(Frames.TRANSFER, frame)) {
                return false;
            }
            credit.use();
            return true;
        } finally {
            engine.unlock();
        }
    }

    /** Sends everything that is claimed; true once it is over, or nobody wants it. For a rank that leaves. */
    public boolean finish() {
        engine.lock();
        try {
            push();
            SendRing mine = ring;
            return !isConnected() || ((mine == null || mine.isEmpty()) && completed == posted);
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
        if (backlog == Backlog.WAITS_FOR_PEER) {
            push();
        }
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
                boolean unused = sendWord(Frames.EMPTY, null); // if not, when something is taken next
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
