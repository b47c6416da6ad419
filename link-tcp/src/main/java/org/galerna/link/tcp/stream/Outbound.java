package org.galerna.link.tcp.stream;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.galerna.link.tcp.wire.Frames;
import org.galerna.link.tcp.wire.Wire;
import org.galerna.memory.ArraySegment;
import org.jspecify.annotations.Nullable;

/**
 * What travels to one peer: frames out of the ring, frames of the link's own, and the bytes of transfers. Whoever
 * flushes writes for all; a thread that finds another one writing leaves its bytes to that one.
 *
 * <p>Between two pieces of a transfer everything else that is there is written, and after every such batch each transfer
 * in turn gets a piece: neither can starve the other.
 */
public final class Outbound {
    /** Fewer bytes of an array go through a buffer, with their header and their padding in one call. */
    private static final int LEAST_IN_PLACE = 4096;

    private final LinkBuffers buffers;
    private final Events events;
    private final ReentrantLock writing = new ReentrantLock();
    private volatile boolean requested;
    private volatile @Nullable OutboundRing ring;
    private volatile @Nullable Wire wire;

    private volatile State state = State.OPEN; // written under the lock
    private final AtomicReference<Goodbye> goodbye = new AtomicReference<>(Goodbye.UNSAID);
    private final OutboundQueue queue = new OutboundQueue();

    /** Whether bytes get out: {@code OPEN} and {@code BLOCKED} in turn, and {@code BROKEN} in the end. */
    private enum State {
        OPEN,

        /** The socket takes no more at the moment. */
        BLOCKED,

        /** Writing has failed; the peer's last bytes may still be there to read, so nothing is said of its end here. */
        BROKEN
    }

    /** The last word: each follows the one before. */
    private enum Goodbye {
        UNSAID,
        WANTED,
        WRITTEN
    }

    // guarded by the lock: what is being written
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);
    private final ByteBuffer[] batch = {NONE, NONE};
    private @Nullable ByteBuffer controlBuffer;
    private int fromRing;
    private @Nullable OutgoingTransfer current;
    private @Nullable MemorySegment staged;
    private final ArrayPiece array = new ArrayPiece(); // the current transfer's bytes, which follow the batch
    private final ArraySegment inPlace = new ArraySegment();
    private boolean transferNext;
    private boolean moved;

    /** Told by the thread that writes; must not block. */
    public interface Events {
        /** The socket takes no more. */
        void onFull();

        /** What is written would be of no use any more. */
        void onUnusable(String reason);
    }

    /** Nothing to send and no connection yet. */
    Outbound(LinkBuffers buffers, Events events) {
        this.buffers = buffers;
        this.events = events;
    }

    /** Begins to write. */
    void connect(Wire connection) {
        wire = connection;
        flush();
    }

    /** The ring for frames, taken when the first one is claimed. */
    public synchronized OutboundRing ring() {
        OutboundRing existing = ring;
        if (existing == null) {
            existing = buffers.takeRing();
            ring = existing;
        }
        return existing;
    }

    /**
     * Gives the ring back, if everything in it is written. Nobody claims meanwhile, or has an open claim.
     *
     * @return whether the next claim is one in another ring
     */
    public boolean releaseRing() {
        if (!writing.tryLock()) {
            return false;
        }
        try {
            OutboundRing unused = ring;
            if (unused == null || hasBatch() || !unused.isEmpty()) {
                return false;
            }
            ring = null;
            batch[1] = NONE; // which was the ring's
            buffers.give(unused);
            return true;
        } finally {
            writing.unlock();
            flushIfRequested();
        }
    }

    /** Where the ring's writer is; 0 if there is none. Any thread. */
    public long ringPosition() {
        OutboundRing frames = ring;
        return frames == null ? 0 : frames.position();
    }

    /** Whether writing has failed: nothing more will ever get out. */
    boolean isBroken() {
        return state == State.BROKEN;
    }

    public boolean isBlocked() {
        return state == State.BLOCKED;
    }

    /** Adds a frame of the link's own. */
    public void send(int type, long... words) {
        queue.add(type, words);
    }

    void add(OutgoingTransfer transfer) {
        queue.add(transfer);
    }

    /** Gives a sign of life, and writes what the socket had no room for; for the manager of connections. */
    public void beat() {
        if (state != State.BLOCKED) {
            send(Frames.ALIVE);
        }
        flush();
    }

    /** Says after everything else that nothing more will come. */
    public void sayGoodbye() {
        goodbye.compareAndSet(Goodbye.UNSAID, Goodbye.WANTED);
        flush();
    }

    /** Whether bytes of transfers have gone since the last call; a hint. */
    boolean takeMoved() {
        boolean was = moved;
        moved = false;
        return was;
    }

    /** Gives up what has not been written. */
    void discard() {
        queue.clear();
    }

    /** Whether everything including the goodbye is with the peer's system, or nothing can be written any more. */
    public boolean isDelivered() {
        Wire to = wire;
        if (to == null || state == State.BROKEN) {
            return true;
        }
        if (state == State.BLOCKED || !writing.tryLock()) {
            return false;
        }
        try {
            return goodbye.get() == Goodbye.WRITTEN && !hasBatch() && !array.isThere() && to.underWay() == 0;
        } finally {
            writing.unlock();
            flushIfRequested();
        }
    }

    // ---- writing

    /** Writes what the socket takes, on this thread or on the one that is at it. */
    public void flush() {
        requested = true;
        flushIfRequested();
    }

    /**
     * To be called after each release of the lock. Who has found it taken has asked before, so that this or a later look
     * sees that it has.
     */
    private void flushIfRequested() {
        while (requested && writing.tryLock()) {
            try {
                requested = false;
                write();
            } finally {
                writing.unlock();
            }
        }
    }

    /**
     * Sends a frame whose end lies in an array straight from there, unless something is before it. What the socket has no
     * room for is copied to the claim.
     *
     * @param claim of the frame, whose first {@code head} bytes are written there
     * @return false if nothing was done, so that the frame is to be committed as any other
     */
    public boolean send(OutboundRing frames, long claim, int head, Object bytes, long offset, int length) {
        Wire to = wire;
        if (to == null || !to.reachesArrays() || !writing.tryLock()) {
            return false;
        }
        try {
            write();
            if (state != State.OPEN || !frames.isNext(claim)) {
                return false;
            }
            frames.commit(claim, head + length); // before the bytes are there: nobody else reads without the lock
            sendFrame(to, frames, Frames.HEADER_BYTES + head, bytes, offset, length);
            return true;
        } finally {
            writing.unlock();
            flushIfRequested();
        }
    }

    private void sendFrame(Wire to, OutboundRing frames, int head, Object bytes, long offset, int length) {
        MemorySegment source = inPlace.over(bytes);
        int total = Frames.HEADER_BYTES + Frames.padded(head - Frames.HEADER_BYTES + length);
        ByteBuffer start = frames.part(0, head);
        MemorySegment memory = frames.memory();
        int place = start.position();
        int sent;
        try {
            sent = to.send(memory, place, head, true);
            if (sent == head) {
                sent += to.send(source, offset, length, total > head + length);
            }
        } catch (IOException failure) {
            state = State.BROKEN;
            return;
        }
        int copied = Math.max(0, sent - head);
        if (copied < length) {
            MemorySegment.copy(source, offset + copied, memory, (long) place + head + copied, length - copied);
        }
        batch[1] = frames.part(sent, total);
        fromRing = total;
        if (sent == total) {
            finish();
        } else {
            write();
        }
    }

    private void write() {
        Wire to = wire;
        if (to == null || state == State.BROKEN) {
            return;
        }
        try {
            while (hasBatch() || array.isThere() || prepare(to)) {
                if (!writeBatchAndArray(to)) {
                    block();
                    return;
                }
                finish();
            }
            if (!to.flush()) {
                block();
            } else if (state == State.BLOCKED) {
                state = State.OPEN;
            }
        } catch (IOException failure) {
            state = State.BROKEN;
        }
    }

    /** Who already sleeps until something comes has to learn that there is room to be waited for as well. */
    private void block() {
        if (state == State.OPEN) {
            state = State.BLOCKED;
            events.onFull();
        }
    }

    private boolean writeBatchAndArray(Wire to) throws IOException {
        OutgoingTransfer transfer = current;
        try {
            return writeBatch(to) && array.write(to);
        } catch (IllegalStateException | WrongThreadException inaccessible) {
            if (transfer == null) {
                throw inaccessible; // whose memory is nobody's to free
            }
            giveUpPiece(transfer, inaccessible);
            return writeBatch(to);
        }
    }

    /**
     * The memory of the piece that is being written was freed, or belongs to another thread alone. A piece that has begun has
     * to have as many bytes as it said, so the rest becomes zeros, and the peer is told behind them that the transfer has
     * failed. Only in a GET whose last bytes are zeros that could go unnoticed; so the connection is broken then.
     */
    private void giveUpPiece(OutgoingTransfer transfer, RuntimeException inaccessible) throws IOException {
        boolean begun = batch[0].position() > 0;
        boolean last = transfer.isOver();
        int owed = array.isThere() ? array.left() : batch[1].remaining();
        array.drop();
        if (!begun) {
            batch[0] = NONE;
        }
        batch[1] = begun ? ByteBuffer.allocateDirect(owed) : NONE;
        if (begun && last && transfer.type == Frames.GET_DATA) {
            String reason = "it was reading memory that cannot be read any more: " + inaccessible.getMessage();
            state = State.BROKEN; // before others hear of it, who may flush
            events.onUnusable(reason);
            throw new IOException(reason);
        }
        fail(transfer, inaccessible);
    }

    private void fail(OutgoingTransfer transfer, RuntimeException inaccessible) {
        transfer.fail(inaccessible);
        if (transfer.type == Frames.GET_DATA) {
            send(Frames.REFUSED, transfer.id, Frames.INACCESSIBLE);
        } else {
            send(Frames.ABANDONED, transfer.id);
        }
    }

    /** Writes from buffers; false if the socket takes no more. */
    private boolean writeBatch(Wire to) throws IOException {
        if (array.isThere() && batch[0].hasRemaining()) {
            // a header: a packet of its own would cost the system as much as one of 64 KiB
            ByteBuffer header = batch[0];
            int count = to.send(MemorySegment.ofBuffer(header), 0, header.remaining(), true);
            header.position(header.position() + count);
        } else if (batch[0].hasRemaining() && batch[1].hasRemaining()) {
            to.write(batch, 0, 2);
        } else if (hasBatch()) {
            to.write(batch[0].hasRemaining() ? batch[0] : batch[1]);
        }
        return !hasBatch();
    }

    private boolean hasBatch() {
        return batch[0].hasRemaining() || batch[1].hasRemaining();
    }

    /** Puts together what is written next; false if there is nothing. */
    private boolean prepare(Wire to) {
        boolean leaving = goodbye.get() == Goodbye.WANTED; // first: what was sent before it was said is found below
        if (transferNext && prepareTransfer(to)) {
            return true;
        }
        transferNext = false;
        batch[0] = drainControls();
        OutboundRing frames = ring;
        batch[1] = frames == null ? NONE : frames.next();
        fromRing = batch[1].remaining();
        return hasBatch() || prepareTransfer(to) || (leaving && prepareGoodbye());
    }

    private ByteBuffer drainControls() {
        if (!queue.hasControls()) {
            return NONE;
        }
        ByteBuffer buffer = controlBuffer();
        return queue.drainControls(buffer) ? buffer.flip() : NONE;
    }

    private ByteBuffer controlBuffer() {
        ByteBuffer buffer = controlBuffer;
        if (buffer == null) {
            buffer = buffers.takeControl();
            controlBuffer = buffer;
        }
        return buffer.clear();
    }

    private boolean prepareTransfer(Wire to) {
        OutgoingTransfer transfer;
        while ((transfer = queue.nextTransfer()) != null) {
            int bytes = (int) Math.min(Frames.DATA_BYTES, transfer.source.byteSize() - transfer.sent);
            boolean inPlace = to.reachesArrays() && !transfer.source.isNative() && bytes >= LEAST_IN_PLACE;
            bytes = inPlace ? bytes & -Long.BYTES : bytes; // the rest is a piece of its own, with its padding
            try {
                batch[1] = inPlace ? NONE : piece(transfer, bytes);
            } catch (RuntimeException inaccessible) { // freed, or another thread's alone
                fail(transfer, inaccessible);
                transfer.end();
                transferNext = false;
                return prepare(to);
            }
            batch[0] = controlBuffer()
                    .putLong(Frames.header(transfer.type, Frames.TRANSFER_BYTES + bytes))
                    .putLong(transfer.id)
                    .flip();
            if (inPlace) {
                array.begin(transfer.source, transfer.sent, bytes);
            }
            transfer.sent += bytes;
            current = transfer;
            return true;
        }
        return false;
    }

    /** The next bytes of a transfer, followed by their padding. */
    private ByteBuffer piece(OutgoingTransfer transfer, int bytes) {
        boolean whole = Frames.padded(bytes) == bytes;
        if (transfer.source.isNative() && whole) {
            return transfer.source.asSlice(transfer.sent, bytes).asByteBuffer();
        }
        MemorySegment copy = buffers.staging().take();
        try {
            MemorySegment.copy(transfer.source, transfer.sent, copy, 0, bytes);
        } catch (RuntimeException inaccessible) {
            buffers.staging().give(copy);
            throw inaccessible;
        }
        staged = copy;
        return copy.asSlice(0, Frames.padded(bytes)).asByteBuffer();
    }

    private boolean prepareGoodbye() {
        if (!goodbye.compareAndSet(Goodbye.WANTED, Goodbye.WRITTEN)) {
            return false;
        }
        batch[0] = controlBuffer().putLong(Frames.header(Frames.GOODBYE, 0)).flip();
        return true;
    }

    /** After the last byte of a batch. */
    private void finish() {
        OutboundRing frames = ring;
        if (fromRing > 0 && frames != null) {
            frames.release(fromRing);
            fromRing = 0;
        }
        ByteBuffer control = controlBuffer;
        if (control != null) {
            controlBuffer = null;
            batch[0] = NONE; // it is somebody else's from now on
            buffers.give(control);
        }
        transferNext = true;
        OutgoingTransfer transfer = current;
        if (transfer != null) {
            current = null;
            moved = true;
            transferNext = false;
            MemorySegment copy = staged;
            if (copy != null) {
                staged = null;
                buffers.staging().give(copy);
            }
            if (transfer.isOver()) {
                transfer.end();
            } else {
                add(transfer);
            }
        }
    }
}
