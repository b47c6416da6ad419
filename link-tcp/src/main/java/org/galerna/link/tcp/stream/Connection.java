package org.galerna.link.tcp.stream;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.link.CommunicationException;
import org.galerna.link.FrameHandler;
import org.galerna.link.TransferCompletion;
import org.galerna.link.support.RegionTable;
import org.galerna.link.tcp.wire.Closing;
import org.galerna.link.tcp.wire.Frames;
import org.galerna.link.tcp.wire.ProtocolException;
import org.galerna.link.tcp.wire.Wire;
import org.galerna.memory.Buffers;
import org.jspecify.annotations.Nullable;

/**
 * What this rank and one peer have with each other: the wire once it is there, and the transfers under way.
 *
 * <p><b>Wires that follow each other.</b> A rank with too many connections leaves one that carries nothing: it writes
 * {@link Frames#LAST} there, behind everything else, and nothing more. Whoever reads that leaves the wire likewise. What either
 * has to say afterwards goes over the next wire, which the one that needs it opens. The two directions change wires apart:
 *
 * <pre>
 *  writing   on a wire --{@link #pause}, or LAST read--&gt; leaving it --everything and LAST written--&gt; on the next, or on none
 *  reading   a wire --LAST read--&gt; the next, or none
 *  a wire    is closed when it was left and read to its end
 * </pre>
 *
 * <p>Argument. <i>Nothing is lost:</i> LAST is written when nothing else is there to be written, under the lock that all
 * writing needs; a frame that is committed while the lock is taken is written by its holder, which has changed wires by then.
 * A wire is closed after both LASTs, so that nothing is unread in it. <i>Order:</i> a rank writes to one wire at a
 * time, and its peer reads from the next only after LAST. <i>Nobody waits for a thread that computes:</i> the next wire
 * is opened and accepted by the threads of the managers, while the one before is still unread. <i>Two wires are enough:</i> a
 * rank pauses only what it both reads and writes; the peer may have that one unread and no further one is let in before
 * it has looked. <i>Both know which wire is which:</i> the greeting has its number, so that a late call is put off.
 */
public final class Connection implements Inbound.Events {
    /** Transfers that a peer may have asked for at once: more than any rank starts, and a bound on its demands. */
    private static final int MOST_SERVED = 1 << 16;

    /** Told of what a connection learns about others. */
    public interface Gossip {
        void onLost(int rank);
    }

    private final int rank;
    private final int peer;
    private final int size;
    private final RegionTable regions;
    private final Gossip gossip;
    private final Runnable readToEnd;
    private final LinkBuffers buffers;
    private final Outbound out;
    private volatile @Nullable Inbound in;
    private volatile @Nullable Wire wire; // what is read from
    private volatile boolean begun;
    private volatile boolean closed;

    // guarded by this
    private @Nullable Wire next; // read from after the last frame
    private @Nullable Wire done; // left or read to its end, and not both yet

    private final Map<Long, Request> requests = new HashMap<>(); // guarded by itself, as the next two
    private long lastRequest;
    private @Nullable String closedBecause;

    // of the polling thread
    private final Map<Long, IncomingTransfer> puts = new HashMap<>();
    private boolean flushNeeded;
    private boolean broken;
    private boolean ready;
    private long ringPosition; // when it was reviewed last
    private long frames; // as of the last look at its use
    private long lastUse;
    private boolean used;

    /** Transfers that the peer has asked for and that are not over. */
    private final AtomicInteger served = new AtomicInteger();

    /** A get or put of this rank. */
    private record Request(
            boolean inward,
            long key,
            long offset,
            long length,
            @Nullable IncomingTransfer incoming,
            @Nullable OutgoingTransfer outgoing,
            TransferCompletion completion) {}

    /**
     * Without a wire.
     *
     * @param events of what is written
     * @param readToEnd run when a wire was read to its end, by the polling thread
     */
    public Connection(
            int rank,
            int peer,
            int size,
            RegionTable regions,
            Gossip gossip,
            Outbound.Events events,
            Runnable readToEnd,
            LinkBuffers buffers) {
        this.rank = rank;
        this.peer = peer;
        this.size = size;
        this.regions = regions;
        this.gossip = gossip;
        this.readToEnd = readToEnd;
        this.buffers = buffers;
        this.out = new Outbound(buffers, events);
    }

    public int peer() {
        return peer;
    }

    public Outbound out() {
        return out;
    }

    @Nullable
    public Wire wire() {
        return wire;
    }

    @Nullable
    public Inbound in() {
        return in;
    }

    /** Whether nothing more can be sent. */
    public boolean isClosed() {
        return closed || out.isBroken();
    }

    /** Refuses claims from now on. */
    public void close() {
        closed = true;
    }

    /** Begins to use the wire, behind the one before. */
    public void connect(Wire connected) {
        synchronized (this) {
            if (wire == null) {
                begin(connected);
            } else {
                next = connected;
            }
        }
        begun = true;
        out.connect(connected);
    }

    private void begin(@Nullable Wire from) {
        in = from == null ? null : new Inbound(peer, this, buffers);
        wire = from;
    }

    /** Whether there is or was a wire. */
    public boolean hasBegun() {
        return begun;
    }

    /** Whether a wire waits for the one before to be read to its end. */
    public synchronized boolean hasNext() {
        return next != null;
    }

    /** Ends the use of all wires; safe to be repeated. */
    public void disconnect() {
        out.discard();
        Wire written = out.wire();
        synchronized (this) {
            for (Wire each : new Wire[] {wire, next, done, written}) {
                Closing.quietly(each == null ? null : each::close);
            }
        }
    }

    // ---- pausing

    /** A wire was left, or was read to its end: it is closed when both are so. */
    public synchronized void end(Wire over) {
        if (done == over) {
            done = null;
            over.closeBehindLast();
        } else {
            done = over;
        }
    }

    /** The peer has written its last frame to a wire: what it says next comes by the next one. */
    private void changeWires(Wire read) {
        synchronized (this) {
            begin(next);
            next = null;
        }
        end(read);
        out.leave(read);
    }

    /** Notes whether there was any traffic since the last look. The polling thread's. */
    public void noteUse(long look) {
        Inbound inbound = in;
        long position = out.written() + (inbound == null ? 0 : inbound.frames());
        if (position != frames) {
            frames = position;
            lastUse = look;
            used = true;
        }
    }

    /** The look at which there was traffic last. */
    public long lastUse() {
        return lastUse;
    }

    /**
     * Leaves the wire if it carries nothing. The polling thread's.
     *
     * @param evenUnused whether also one that has carried nothing yet, whose opener may be about to use it
     * @return whether it is being left
     */
    public boolean pause(boolean evenUnused) {
        Wire from = wire;
        Inbound inbound = in;
        if (from == null
                || inbound == null
                || !(used || evenUnused)
                || !inbound.isBetweenFrames()
                || !puts.isEmpty()
                || served.get() != 0
                || hasRequests()
                || isHalfOver()
                || !out.isIdle(from)) {
            return false;
        }
        out.leave(from);
        return true;
    }

    /** Whether everything including the goodbye is with the peer's system, or the peer takes nothing any more. */
    public boolean isDelivered() {
        if (out.isDelivered()) {
            return true;
        }
        Wire written = out.wire();
        if (written == null || written == wire) {
            return false; // what is read tells
        }
        try {
            return written.read(ByteBuffer.allocate(1)) < 0; // nothing comes behind the last frame but the end
        } catch (IOException brokenOff) {
            return true;
        }
    }

    private boolean hasRequests() {
        synchronized (requests) {
            return !requests.isEmpty();
        }
    }

    private synchronized boolean isHalfOver() {
        return next != null || done != null;
    }

    // ---- polling

    /**
     * Handles what has come and writes what waits.
     *
     * @throws IOException if the connection is broken, or the peer does not keep to the protocol
     */
    public int poll(FrameHandler handler, int limit) throws IOException {
        Wire from = wire;
        Inbound inbound = in;
        if (from == null || inbound == null || broken) {
            return 0;
        }
        try {
            int handled = inbound.poll(from, handler, limit);
            if (!inbound.isOver()) {
                return handled;
            }
            changeWires(from);
            readToEnd.run();
            return handled + poll(handler, limit);
        } catch (IOException failure) {
            broken = true;
            throw failure;
        } finally {
            if (flushNeeded || out.isBlocked()) {
                flushNeeded = false;
                out.flush();
            }
        }
    }

    /** There is something to read. */
    public void setReady() {
        ready = true;
    }

    /** Whether a look may find or do something, as far as is known. */
    public boolean needsLook() {
        Wire from = wire;
        Inbound inbound = in;
        if (from == null || inbound == null) {
            return false;
        }
        if (ready || inbound.hasLeftover() || from.hasBuffered() || out.isBlocked() || !from.isSelectable()) {
            ready = false;
            return true;
        }
        inbound.foundNothing();
        return false;
    }

    /** Whether there is a ring for frames that nothing has been written to since this was asked last. */
    public boolean hasSilentRing() {
        long position = out.ringPosition();
        boolean silent = position != 0 && position == ringPosition;
        ringPosition = position;
        return silent;
    }

    /** Whether bytes of transfers have come since the last call. */
    public boolean takeMoved() {
        Inbound inbound = in;
        boolean gone = out.takeMoved();
        boolean come = inbound != null && inbound.takeMoved();
        return gone || come;
    }

    // ---- transfers of this rank

    public void get(long key, long offset, MemorySegment local, TransferCompletion completion) {
        start(true, key, offset, local, completion);
    }

    public void put(long key, long offset, MemorySegment local, TransferCompletion completion) {
        MemorySegment source = local;
        if (!Buffers.isSharedByThreads(local)) {
            // any thread may find room in the socket for the next bytes
            source = Arena.ofAuto().allocate(Math.max(1, local.byteSize())).asSlice(0, local.byteSize());
            source.copyFrom(local);
        }
        start(false, key, offset, source, completion);
    }

    private void start(boolean inward, long key, long offset, MemorySegment local, TransferCompletion completion) {
        String closed;
        synchronized (requests) {
            closed = closedBecause;
            if (closed == null) {
                long id = ++lastRequest;
                long length = local.byteSize();
                IncomingTransfer incoming = inward ? new IncomingTransfer(id, local) : null;
                OutgoingTransfer outgoing = inward ? null : new OutgoingTransfer(Frames.PUT_DATA, id, local);
                requests.put(id, new Request(inward, key, offset, length, incoming, outgoing, completion));
                out.send(inward ? Frames.GET : Frames.PUT, id, key, offset, length);
                if (outgoing != null && length > 0) {
                    out.add(outgoing);
                }
            }
        }
        if (closed == null) {
            out.flush();
        } else {
            completion.completed(lost(closed, local.byteSize()));
        }
    }

    private CommunicationException lost(String reason, long length) {
        return new CommunicationException("rank " + rank + ": a transfer of " + length
                + " bytes cannot complete, because rank " + peer + " is gone: " + reason);
    }

    /** Fails the transfers under way and those to come. */
    public void failRequests(String reason) {
        List<Request> failed;
        synchronized (requests) {
            closedBecause = reason;
            failed = new ArrayList<>(requests.values());
            requests.clear();
        }
        for (Request request : failed) {
            request.completion.completed(lost(reason, request.length));
        }
    }

    private @Nullable Request find(long id) {
        synchronized (requests) {
            return requests.get(id);
        }
    }

    private @Nullable Request end(long id) {
        synchronized (requests) {
            return requests.remove(id);
        }
    }

    // ---- what the peer says

    @Override
    public void onRequest(int type, long id, long key, long offset, long length) throws ProtocolException {
        flushNeeded = true;
        MemorySegment memory = regions.find(key, offset, length);
        if (memory == null) {
            out.send(Frames.REFUSED, id, Frames.NO_REGION);
        } else if (length == 0) {
            out.send(Frames.DONE, id);
        } else if (served.incrementAndGet() > MOST_SERVED) {
            throw new ProtocolException("it has asked for more than " + MOST_SERVED + " transfers at once");
        } else if (type == Frames.GET) {
            out.add(new OutgoingTransfer(Frames.GET_DATA, id, memory, served));
        } else {
            puts.put(id, new IncomingTransfer(id, memory));
        }
    }

    @Override
    public IncomingTransfer onData(int type, long id) {
        if (type == Frames.PUT_DATA) {
            IncomingTransfer put = puts.get(id);
            return put == null ? IncomingTransfer.discarding() : put; // it was refused
        }
        Request request = find(id);
        return request == null || request.incoming == null ? IncomingTransfer.discarding() : request.incoming;
    }

    @Override
    public void onPiece(int type, IncomingTransfer transfer) {
        if (transfer.missing() > 0) {
            return;
        }
        RuntimeException failure = transfer.failure();
        if (type == Frames.PUT_DATA) {
            boolean ignored = endPut(transfer.id);
            if (failure == null) {
                out.send(Frames.DONE, transfer.id);
            } else {
                out.send(Frames.REFUSED, transfer.id, Frames.INACCESSIBLE);
            }
            flushNeeded = true;
            return;
        }
        Request request = end(transfer.id);
        if (request != null) {
            request.completion.completed(
                    failure == null
                            ? null
                            : new CommunicationException(
                                    "rank " + rank + " could not write " + request.length + " bytes from rank " + peer
                                            + " to its memory: " + failure.getMessage(),
                                    failure));
        }
    }

    private boolean endPut(long id) {
        if (puts.remove(id) == null) {
            return false;
        }
        served.decrementAndGet();
        return true;
    }

    @Override
    public void onDone(long id) throws ProtocolException {
        Request request = end(id);
        if (request == null) {
            return;
        }
        if (request.inward && request.length > 0) {
            request.completion.completed(lost("it has ended a transfer early", request.length));
            throw new ProtocolException("it has ended a transfer early");
        }
        request.completion.completed(unreadable(request));
    }

    /** Null, unless this rank's own memory could not be read for the transfer. */
    private @Nullable CommunicationException unreadable(Request request) {
        RuntimeException failure = request.outgoing == null ? null : request.outgoing.failure();
        return failure == null
                ? null
                : new CommunicationException(
                        "rank " + rank + " could not read " + request.length + " bytes of its memory for rank " + peer
                                + ": " + failure.getMessage(),
                        failure);
    }

    @Override
    public void onRefused(long id, long reason) {
        Request request = end(id);
        if (request == null) {
            return;
        }
        CommunicationException own = unreadable(request);
        if (own != null) {
            request.completion.completed(own);
            return;
        }
        if (request.outgoing != null) {
            request.outgoing.refused = true;
        }
        String message = reason == Frames.NO_REGION
                ? "rank " + peer + " has no registered memory of " + request.length + " bytes at offset "
                        + request.offset + " under key " + request.key
                : "rank " + peer + " cannot access its registered memory of key " + request.key + " any more";
        request.completion.completed(new CommunicationException(message));
    }

    @Override
    public void onAbandoned(long id) {
        if (endPut(id)) { // so that the transfer ends there too, after everything that was written of it
            out.send(Frames.REFUSED, id, Frames.INACCESSIBLE);
            flushNeeded = true;
        }
    }

    @Override
    public void onLost(long other) throws ProtocolException {
        if (other < 0 || other >= size) {
            throw new ProtocolException("it has named rank " + other + ", which does not exist");
        }
        gossip.onLost((int) other);
    }
}
