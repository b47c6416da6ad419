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
 */
public final class Outbound {
    private final LinkBuffers buffers;
    private final Events events;
    private final ReentrantLock writing = new ReentrantLock();
    private volatile boolean requested;
    private volatile @Nullable OutboundRing ring;
    private volatile @Nullable Wire wire; // written under the lock
    private volatile @Nullable Wire leaving; // the wire that is to be left

    private volatile State state = State.OPEN; // written under the lock
    private final AtomicReference<Goodbye> goodbye = new AtomicReference<>(Goodbye.UNSAID);
    private final OutboundQueue queue = new OutboundQueue();
    private final OutboundBatch batch; // guarded by the lock
    private final ArraySegment inPlace = new ArraySegment(); // the same
    private @Nullable Wire next; // the same; what is written to after the last frame
    private boolean lastWritten; // the same

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

    /** Told by the thread that writes; must not block. */
    public interface Events {
        /** The socket takes no more. */
        void onFull();

        /** What is written would be of no use any more. */
        void onUnusable(String reason);

        /** Everything that was to be written to a wire is written; called under the lock. */
        void onLeft(Wire left);

        /** There is something to be written, and no wire. */
        void onWireWanted();
    }

    /** Nothing to send and no connection yet. */
    Outbound(LinkBuffers buffers, Events events) {
        this.buffers = buffers;
        this.events = events;
        this.batch = new OutboundBatch(buffers, queue);
    }

    /** Begins to write, as soon as the wire before this one is left. */
    void connect(Wire connection) {
        writing.lock();
        try {
            if (wire == null) {
                wire = connection;
            } else {
                next = connection;
            }
        } finally {
            writing.unlock();
        }
        flush();
    }

    /** What is written to; null if there is nothing. */
    public @Nullable Wire wire() {
        return wire;
    }

    /** Leaves a wire, if it is still written to, once everything that is there is written. */
    void leave(Wire from) {
        if (wire == from) {
            leaving = from;
            flush();
        }
    }

    /** Whether nothing is to be written at the moment and the wire is not left already. Any thread; a look. */
    boolean isIdle(Wire on) {
        if (wire != on
                || leaving == on
                || state != State.OPEN
                || goodbye.get() != Goodbye.UNSAID
                || !writing.tryLock()) {
            return false;
        }
        try {
            return next == null && batch.isIdle() && !hasPending();
        } finally {
            writing.unlock();
            flushIfRequested();
        }
    }

    /** Whether frames or transfers wait. Any thread. */
    public boolean hasPending() {
        OutboundRing frames = ring;
        return !queue.isEmpty() || (frames != null && !frames.holdsNothing());
    }

    /** A number that grows with what the rank writes; a racy look. */
    long written() {
        return batch.written();
    }

    /** For reports of what a rank waits for. */
    @Override
    public String toString() {
        return state + " " + goodbye + (wire == null ? " no wire" : "") + (hasPending() ? " pending" : "");
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
            if (unused == null || batch.hasBuffers() || !unused.isEmpty()) {
                return false;
            }
            ring = null;
            batch.dropFrames();
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
        Wire to = wire;
        if (to != null && state != State.BLOCKED && leaving != to) {
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
        return batch.takeMoved();
    }

    /** Gives up what has not been written. */
    void discard() {
        queue.clear();
    }

    /** Whether everything including the goodbye is with the peer's system, or nothing can be written any more. */
    boolean isDelivered() {
        Wire to = wire;
        if (to == null || state == State.BROKEN) {
            return true;
        }
        if (state == State.BLOCKED || !writing.tryLock()) {
            return false;
        }
        try {
            return goodbye.get() == Goodbye.WRITTEN && batch.isEmpty() && to.underWay() == 0;
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
            if (wire != to || leaving == to || state != State.OPEN || !frames.isNext(claim)) {
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
        batch.continueFrame(frames.part(sent, total), total);
        if (sent == total) {
            batch.finish(ring);
        } else {
            write();
        }
    }

    private void write() {
        Wire to = wire;
        if (to == null || state == State.BROKEN) {
            if (to == null && hasPending()) {
                events.onWireWanted();
            }
            return;
        }
        try {
            while (!batch.isEmpty() || (!lastWritten && prepare(to))) {
                if (!writeBatch(to)) {
                    block();
                    return;
                }
                batch.finish(ring);
            }
            if (!to.flush()) {
                block();
            } else {
                if (state == State.BLOCKED) {
                    state = State.OPEN;
                }
                if (lastWritten) {
                    changeWires(to);
                }
            }
        } catch (IOException failure) {
            state = State.BROKEN;
        }
    }

    private void changeWires(Wire left) {
        lastWritten = false;
        leaving = null;
        wire = next;
        next = null;
        requested = true; // what has come since belongs to the next wire
        events.onLeft(left);
    }

    /** Who already sleeps until something comes has to learn that there is room to be waited for as well. */
    private void block() {
        if (state == State.OPEN) {
            state = State.BLOCKED;
            events.onFull();
        }
    }

    private boolean writeBatch(Wire to) throws IOException {
        try {
            return batch.write(to);
        } catch (IllegalStateException | WrongThreadException inaccessible) {
            String lost = batch.giveUpPiece(inaccessible);
            if (lost != null) {
                state = State.BROKEN; // before others hear of it, who may flush
                events.onUnusable(lost);
                throw new IOException(lost, inaccessible);
            }
            return batch.writeBuffers(to);
        }
    }

    /** Puts together what is written next; false if there is nothing. */
    private boolean prepare(Wire to) {
        // first: what was sent before it was said is found below
        boolean ends = goodbye.get() == Goodbye.WANTED;
        boolean leaves = leaving == to;
        if (batch.prepare(to, ring)) {
            return true;
        }
        if (ends && goodbye.compareAndSet(Goodbye.WANTED, Goodbye.WRITTEN)) {
            batch.end(Frames.GOODBYE);
            return true;
        }
        if (leaves && goodbye.get() == Goodbye.UNSAID) { // nothing follows a goodbye
            batch.end(Frames.LAST);
            lastWritten = true;
            return true;
        }
        return false;
    }
}
