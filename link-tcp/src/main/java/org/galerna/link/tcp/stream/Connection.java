package org.galerna.link.tcp.stream;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.link.CommunicationException;
import org.galerna.link.FrameHandler;
import org.galerna.link.TransferCompletion;
import org.galerna.link.support.RegionTable;
import org.galerna.link.tcp.wire.Frames;
import org.galerna.link.tcp.wire.ProtocolException;
import org.galerna.link.tcp.wire.Wire;
import org.galerna.memory.Buffers;
import org.jspecify.annotations.Nullable;

/** What this rank and one peer have with each other: the wire once it is there, and the transfers under way. */
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
    private final LinkBuffers buffers;
    private final Outbound out;
    private volatile @Nullable Inbound in;
    private volatile @Nullable Wire wire;
    private volatile boolean closed;

    private final Map<Long, Request> requests = new HashMap<>(); // guarded by itself, as the next two
    private long lastRequest;
    private @Nullable String closedBecause;

    // of the polling thread
    private final Map<Long, IncomingTransfer> puts = new HashMap<>();
    private boolean flushNeeded;
    private boolean broken;
    private boolean ready;
    private long ringPosition; // when it was reviewed last

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
     */
    public Connection(
            int rank,
            int peer,
            int size,
            RegionTable regions,
            Gossip gossip,
            Outbound.Events events,
            LinkBuffers buffers) {
        this.rank = rank;
        this.peer = peer;
        this.size = size;
        this.regions = regions;
        this.gossip = gossip;
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

    /** Begins to use the wire. */
    public void connect(Wire connected) {
        in = new Inbound(peer, this, buffers);
        wire = connected;
        out.connect(connected);
    }

    /** Ends the use of the wire; safe to be repeated. */
    public void disconnect() {
        out.discard();
        Wire open = wire;
        if (open != null) {
            open.close();
        }
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
            return inbound.poll(from, handler, limit);
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
