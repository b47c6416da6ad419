package org.galerna.link.ofi.connection;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.galerna.link.ofi.adapter.Engine;
import org.galerna.link.ofi.adapter.Sizes;
import org.galerna.link.ofi.wire.Word;
import org.galerna.link.support.Frames;
import org.galerna.link.support.SendRing;
import org.galerna.link.transfer.TransferFrame;
import org.galerna.nativeaccess.ofi.OfiEndpoint;
import org.jspecify.annotations.Nullable;

/**
 * What goes to one peer: the ring of its frames, the messages that were sent, and why nothing more is sent at the moment. Guarded by
 * the engine's lock, inside which all methods are called unless they say otherwise.
 */
final class SendQueue implements Engine.Sender {
    private static final int SENDS = 128;

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
    private final int own;
    private final int rank;
    private final Sizes sizes;
    private final Credit credit;
    private final Send[] sends = new Send[SENDS];
    private @Nullable SendRing ring;
    private Engine.@Nullable Registered ringMemory;
    private boolean connected;
    private long address;
    private boolean waits; // the first message, and that is told
    private long posted;
    private long completed;
    private volatile Backlog backlog = Backlog.NONE; // written inside the lock

    SendQueue(ConnectionListener listener, Engine engine, int own, int rank, Sizes sizes, Credit credit) {
        this.listener = listener;
        this.engine = engine;
        this.own = own;
        this.rank = rank;
        this.sizes = sizes;
        this.credit = credit;
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
            } else {
                pushIfPeerWaited();
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

    // ---- coming and going

    /** The peer is reached at an address from now on. */
    void connect(long peer) {
        address = peer;
        connected = true;
    }

    /** By what operations name the peer. */
    long address() {
        return address;
    }

    /** Nothing is sent any more. */
    void disconnect() {
        connected = false;
        backlog = Backlog.NONE;
    }

    /** Makes the ring; outside the lock. */
    void open(boolean concurrentClaims) throws IOException {
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

    /** The ring, which has been made; outside the lock. */
    SendRing ring() {
        SendRing made = ring;
        if (made == null) {
            throw new IllegalStateException("no channel to rank " + rank);
        }
        return made;
    }

    /** Lets the memory of the ring go; outside the lock. */
    void close() {
        Engine.Registered memory = ringMemory;
        if (memory != null) {
            memory.close();
        }
    }

    /** Whether the provider has taken a message. */
    boolean hasSent() {
        return posted > 0;
    }

    /** Whether everything that is claimed is sent and over. */
    boolean isEmpty() {
        SendRing mine = ring;
        return (mine == null || mine.isEmpty()) && completed == posted;
    }

    /** Whether something was left behind that can still be sent. Any thread, outside the lock. */
    boolean isBlocked() {
        return backlog != Backlog.NONE;
    }

    // ---- frames

    /** Sends what is committed, unless the engine does so as soon as there is room. */
    void pushUnlessRetried() {
        if (backlog != Backlog.WAITS_FOR_PROVIDER) {
            push();
        }
    }

    /** Sends what has waited for credit, or for sends that are over. */
    void pushIfPeerWaited() {
        if (backlog == Backlog.WAITS_FOR_PEER) {
            push();
        }
    }

    @Override
    public void push() {
        backlog = Backlog.NONE;
        SendRing mine = ring;
        if (mine == null || engine.isClosed() || !connected) {
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

    // ---- what the link itself says

    /** Sends credits and nothing else, if there is room; they go with the next message if not. */
    void sendCredits() {
        boolean unused = sendWord(Frames.EMPTY, null);
    }

    /** Sends what a transfer has to say, for which there has to be credit; false if there is no room at the moment. */
    boolean sendTransfer(TransferFrame frame) {
        if (!credit.isLeft() || !sendWord(Frames.TRANSFER, frame)) {
            return false;
        }
        credit.use();
        return true;
    }

    private boolean sendWord(int type, @Nullable TransferFrame frame) {
        Send next = sends[(int) posted & (SENDS - 1)];
        int index = hasRoom() && connected ? engine.begin(next) : Engine.NO_ROOM;
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
}
