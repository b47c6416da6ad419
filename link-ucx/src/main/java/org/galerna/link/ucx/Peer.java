package org.galerna.link.ucx;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.galerna.link.FrameHandler;
import org.galerna.link.support.Frames;
import org.galerna.link.support.ProtocolException;
import org.galerna.link.support.SendRing;
import org.galerna.nativeaccess.memory.RawMemory;
import org.galerna.nativeaccess.ucx.UcxWorker;
import org.jspecify.annotations.Nullable;

/**
 * Another rank: its endpoint, the frames on their way to it, and those that have come. What goes out is guarded by the worker's
 * lock, but for claims in the ring; what has come is the polling thread's.
 */
final class Peer {
    /** Messages that UCX has under way to a peer at most. */
    private static final int DEPTH = 64;

    /**
     * Messages that the peer's program has not taken at most. Not every network of UCX presses back: over {@code ud} UCX's own thread
     * takes what comes, into memory without a limit.
     */
    private static final int WINDOW = 512;

    private static final long NEVER = -1;

    final int rank;
    private final int ownRank;
    private final Worker worker;

    // what goes out
    private final long[] requests = new long[DEPTH];
    private final long[] positions = new long[DEPTH];
    private int first;
    private int count;
    private long sent;
    private long taken; // by the peer's program
    private @Nullable SendRing ring; // null as long as it is not connected
    private long endpoint;
    private boolean flushing;
    private long flushed = NEVER; // messages that were sent when the last flush that is over began
    private volatile boolean blocked; // written under the lock
    private volatile boolean gone; // the same

    // what has come
    private final Deque<Arrival> inbound = new ArrayDeque<>();
    private final List<Arrival> early = new ArrayList<>();
    private @Nullable Arrival current;
    private long at;
    private volatile long received; // written by the polling thread
    private long done; // messages that were handed out
    private long told; // of which the peer knows

    Peer(int rank, int ownRank, Worker worker) {
        this.rank = rank;
        this.ownRank = ownRank;
        this.worker = worker;
    }

    boolean isGone() {
        return gone;
    }

    boolean isBlocked() {
        return blocked;
    }

    // ---- outbound, under the lock

    @Nullable
    SendRing ring() {
        return ring;
    }

    /** UCX's endpoint; 0 if there is none, because it is not connected yet, or gone. */
    long endpoint() {
        return endpoint;
    }

    /** It is connected: frames in the ring go to that endpoint. */
    void connected(SendRing frames, long made) {
        ring = frames;
        endpoint = made;
    }

    /** Whether UCX has messages to it under way. */
    boolean isBusy() {
        return count > 0;
    }

    /** Messages that were sent to it. */
    long sent() {
        return sent;
    }

    /** Sends what is committed, as far as there is room. */
    void push() {
        SendRing frames = ring;
        if (frames == null || endpoint == 0 || gone) {
            return;
        }
        reclaim(frames);
        int bytes;
        while (hasRoom() && (bytes = frames.ready(Worker.MESSAGE_BYTES)) > 0) {
            send(frames, bytes);
        }
        blocked = !hasRoom() && frames.ready(Worker.MESSAGE_BYTES) > 0;
    }

    private boolean hasRoom() {
        return count < DEPTH && sent - taken < WINDOW;
    }

    /** The peer's program has taken so many messages. */
    void taken(long messages) {
        taken = Math.max(taken, Math.min(messages, sent));
    }

    private void send(SendRing frames, int bytes) {
        MemorySegment memory = frames.memory();
        int start = frames.start();
        memory.set(Frames.LONG, start, Frames.withWord(memory.get(Frames.LONG, start), Word.of(ownRank, sent)));
        sent++;
        long position = frames.sent(bytes);
        long request = worker.messages.send(endpoint, memory.address() + start, bytes);
        if (request > 0 || count > 0) {
            int place = (first + count++) % DEPTH;
            requests[place] = Math.max(request, 0); // of what fails at once the endpoint's failure tells
            positions[place] = position;
        } else {
            frames.release(position);
        }
    }

    private void reclaim(SendRing frames) {
        while (count > 0) {
            long request = requests[first];
            if (request != 0) {
                if (worker.ucx.status(request) == UcxWorker.IN_PROGRESS) {
                    return;
                }
                worker.ucx.free(request);
            }
            frames.release(positions[first]);
            first = (first + 1) % DEPTH;
            count--;
        }
    }

    /**
     * Whether all that was committed is at the peer; has it go there if not. A way on which nothing was sent is flushed, too: a
     * rank that leaves while UCX is still agreeing with the peer on it would be asked to agree once more.
     */
    boolean finish() {
        SendRing frames = ring;
        if (frames == null || endpoint == 0 || gone) {
            return true;
        }
        push();
        if (!frames.isEmpty() || count > 0) {
            return false;
        }
        if (flushed != sent && !flushing) {
            flushing = true;
            long covered = sent; // not what is sent while UCX flushes
            worker.begin(worker.ucx.flush(endpoint), _ -> {
                flushing = false;
                flushed = covered; // or the endpoint has failed, which is told elsewhere
            });
        }
        return flushed == sent;
    }

    /** Nothing goes there any more. */
    void leave() {
        gone = true;
        blocked = false;
        for (; count > 0; count--) { // they end by themselves; their memory is the ring's for ever
            long request = requests[first];
            if (request != 0) {
                worker.begin(request, _ -> {});
            }
            first = (first + 1) % DEPTH;
        }
    }

    /** Gives the endpoint up: by force if the peer may be dead, else when UCX has agreed with the peer on it. */
    void disconnect(boolean byForce) {
        if (endpoint != 0) {
            long closing = endpoint;
            endpoint = 0;
            worker.begin(worker.ucx.disconnect(closing, byForce), _ -> {});
        }
    }

    // ---- inbound, of the polling thread

    long received() {
        return received;
    }

    boolean hasInbound() {
        return current != null || !inbound.isEmpty();
    }

    /** A message has come; UCX may deliver it before others that were sent earlier. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    void add(Arrival arrival) {
        if (!Word.has(arrival.word, received)) {
            early.add(arrival);
            return;
        }
        received++;
        inbound.addLast(arrival);
        while (!early.isEmpty() && addEarly()) {
            // the next one
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    private boolean addEarly() {
        for (int each = 0; each < early.size(); each++) {
            if (Word.has(early.get(each).word, received)) {
                received++;
                inbound.addLast(early.remove(each));
                return true;
            }
        }
        return false;
    }

    /** Whether so much was handed out that the peer is to be told. */
    boolean owesWord() {
        return done - told >= WINDOW / 2;
    }

    /** What the peer is told: messages that were handed out. */
    long giveWord() {
        told = done;
        return done;
    }

    /** Hands out at most so many frames; returns their number. Messages that are done with go to {@code over}. */
    int deliver(FrameHandler handler, int limit, List<Arrival> over) throws ProtocolException {
        int handled = 0;
        while (handled < limit) {
            Arrival message = current;
            if (message == null) {
                message = inbound.pollFirst();
                if (message == null) {
                    break;
                }
                current = message;
                at = message.address;
            }
            long header = RawMemory.ALL.get(Frames.LONG, at);
            long frame = at + Frames.HEADER_BYTES;
            int length = Frames.length(header);
            long end = message.address + message.length;
            if (Frames.type(header) != Frames.FRAME || length > end - frame) {
                current = null;
                over.add(message);
                throw new ProtocolException("it does not keep to the protocol: a frame of type " + Frames.type(header)
                        + " with " + length + " bytes");
            }
            at += Frames.bytes(length);
            try {
                handled++;
                handler.onFrame(rank, RawMemory.ALL, frame, length);
            } finally {
                if (at >= end) {
                    current = null;
                    done++;
                    over.add(message);
                }
            }
        }
        return handled;
    }
}
