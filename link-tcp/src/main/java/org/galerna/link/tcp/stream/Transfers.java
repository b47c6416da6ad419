package org.galerna.link.tcp.stream;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.link.CommunicationException;
import org.galerna.link.PeerLostException;
import org.galerna.link.TransferCompletion;
import org.galerna.link.support.RegionTable;
import org.galerna.link.tcp.wire.Frames;
import org.galerna.link.tcp.wire.ProtocolException;
import org.galerna.memory.Buffers;
import org.jspecify.annotations.Nullable;

/**
 * The transfers between this rank and one peer: gets and puts of this rank, by any thread, and those that the peer asks for, which
 * the polling thread answers.
 */
public final class Transfers implements Inbound.Events {
    /** Transfers that a peer may have asked for at once: more than any rank starts, and a bound on its demands. */
    private static final int MOST_SERVED = 1 << 16;

    /** Told of what the peer says about others. */
    public interface Gossip {
        void onLost(int rank);
    }

    private final int rank;
    private final int peer;
    private final int size;
    private final RegionTable regions;
    private final Gossip gossip;
    private final Outbound out;

    private final Map<Long, Request> requests = new HashMap<>(); // guarded by itself, as the next two
    private long lastRequest;
    private @Nullable String closedBecause;

    // of the polling thread
    private final Map<Long, IncomingTransfer> puts = new HashMap<>();
    private boolean answered;

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

    Transfers(int rank, int peer, int size, RegionTable regions, Gossip gossip, Outbound out) {
        this.rank = rank;
        this.peer = peer;
        this.size = size;
        this.regions = regions;
        this.gossip = gossip;
        this.out = out;
    }

    /** Whether none is under way. The polling thread's. */
    boolean isEmpty() {
        synchronized (requests) {
            return requests.isEmpty() && puts.isEmpty() && served.get() == 0;
        }
    }

    /** Whether there are new answers to be written since the last call. The polling thread's. */
    boolean takeAnswered() {
        boolean taken = answered;
        answered = false;
        return taken;
    }

    // ---- of this rank

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
        return new PeerLostException("rank " + rank + ": a transfer of " + length
                + " bytes cannot complete, because rank " + peer + " is gone: " + reason);
    }

    /** Fails the transfers under way and those to come. */
    public void fail(String reason) {
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

    // ---- of the peer

    @Override
    public void onRequest(int type, long id, long key, long offset, long length) throws ProtocolException {
        answered = true;
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
            answered = true;
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
            answered = true;
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
