package org.galerna.device.ucx;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.device.Request;
import org.galerna.device.support.Membership;
import org.galerna.link.events.FlightEvents;
import org.galerna.memory.Buffers;
import org.galerna.nativeaccess.memory.RawMemory;
import org.galerna.nativeaccess.ucx.UcxWorker;
import org.jspecify.annotations.Nullable;

/** What this rank sends. Guarded by the engine's lock. */
final class Outbound {
    private final Engine engine;
    private final UcxWorker worker;
    private final Operations operations;
    private final Membership membership;
    private final Peer[] peers;
    private final Tags tags;
    private final SlotPool slots;
    private final StagingPool staging;
    private final Deque<SlotSend> freeSends = new ArrayDeque<>();

    Outbound(Engine engine, UcxWorker worker, Operations operations, Membership membership, Peer[] peers) {
        this.engine = engine;
        this.worker = worker;
        this.operations = operations;
        this.membership = membership;
        this.peers = peers;
        this.tags = engine.tags();
        this.slots = engine.slots();
        this.staging = engine.staging();
    }

    /** Sends with the bytes, or announces; see {@link org.galerna.device.Device#isend}. */
    Request send(Object buffer, long offset, long length, int destination, int tag, int context, boolean synchronous) {
        engine.lock();
        try {
            Peer peer = reachable(destination, length, tag);
            if (length <= engine.eagerLimit() && peer.takeCredit(length)) {
                if (!synchronous) {
                    sendBytes(peer, buffer, offset, length, tag, context, Arrival.KIND_EAGER, 0);
                    return Request.COMPLETED_SEND;
                }
                SendRequest send = new SendRequest(engine, buffer, offset, length, destination, tag, context);
                send.number = peer.number(send);
                sendBytes(peer, buffer, offset, length, tag, context, Arrival.KIND_SYNCHRONOUS, send.number);
                return send;
            }
            SendRequest send = new SendRequest(engine, buffer, offset, length, destination, tag, context);
            send.number = peer.number(send);
            send.announced = true;
            send.recorded =
                    length <= engine.eagerLimit() ? FlightEvents.creditStallBegins() : FlightEvents.rendezvousBegins();
            long slot = slots.take();
            long address = tags.message(membership.rank(), context, tag);
            Arrival.writeHeader(slot, address, Arrival.KIND_ANNOUNCED, send.number, length);
            sendSlot(peer, slot, Arrival.HEADER, address);
            peer.counters.announced(context, length);
            return send;
        } finally {
            engine.unlock();
        }
    }

    private void sendBytes(
            Peer peer, Object buffer, long offset, long length, int tag, int context, int kind, int number) {
        long slot = slots.take();
        long address = tags.message(membership.rank(), context, tag);
        try {
            Arrival.writeHeader(slot, address, kind, number, length);
            Buffers.copy(buffer, offset, RawMemory.ALL, slot + Arrival.HEADER, length);
        } catch (RuntimeException inaccessible) {
            slots.give(slot);
            peer.giveBack(length);
            peer.sends.remove(number);
            throw inaccessible;
        }
        sendSlot(peer, slot, Arrival.HEADER + length, address);
        peer.counters.sent(context, length);
    }

    private Peer reachable(int destination, long length, int tag) {
        Peer peer = peers[destination];
        if (peer.isReachable()) {
            if (engine.connect(peer)) {
                return peer;
            }
            engine.progress(true); // it may have left
        }
        throw membership.lost("send of " + length + " bytes to rank " + destination + ", tag " + tag, destination);
    }

    private void sendSlot(Peer peer, long slot, long bytes, long tag) {
        engine.moved();
        long request = worker.send(peer.endpoint, slot, bytes, tag);
        if (request == 0) {
            slots.give(slot);
        } else if (UcxWorker.isError(request)) {
            slots.give(slot);
            engine.departures().failed(peer.rank, worker.describe(request));
        } else {
            SlotSend send = freeSends.pollLast();
            if (send == null) {
                send = new SlotSend();
            }
            send.slot = slot;
            send.peer = peer.rank;
            operations.add(send, request);
        }
    }

    /** A control message to another rank's device; none to a rank that is gone, but the answer to what that has said last. */
    void control(int rank, int operation, int number, long value) {
        Peer peer = peers[rank];
        if ((!peer.gone || operation == Control.SEEN) && engine.connect(peer)) {
            long slot = slots.take();
            Control.write(slot, membership.rank(), operation, number, value);
            sendSlot(peer, slot, Control.BYTES, tags.control(membership.rank()));
        }
    }

    /** A short message or a control message that UCX has not taken at once. */
    private final class SlotSend extends Operation {
        private long slot;
        private int peer;

        @Override
        int peer() {
            return peer;
        }

        @Override
        void completed(int status) {
            slots.give(slot);
            freeSends.addLast(this);
            if (status != UcxWorker.OK) {
                engine.departures().failed(peer, worker.describe(status));
            }
        }
    }

    /** The receive of an announced message has been found, and takes so many bytes. */
    void fetched(int source, int number, long bytes) {
        SendRequest send = peers[source].sends.get(number);
        if (send == null || send.underWay) {
            return;
        }
        if (bytes == 0) {
            end(send, null);
            return;
        }
        send.underWay = true;
        MemorySegment memory = send.bytes();
        MemorySegment piece = null;
        if (!memory.isNative()) {
            piece = staging.take(bytes);
            MemorySegment.copy(memory, 0, piece, 0, bytes);
        } else if (!memory.scope().isAlive()) {
            control(source, Control.BROKEN, number, 0);
            end(
                    send,
                    new DeviceException(
                            ErrorClass.BUFFER,
                            "rank " + membership.rank() + ": the memory of a " + send.operation() + " has been freed"));
            return;
        }
        BulkSend bulk = new BulkSend(send, piece);
        long address = piece == null ? memory.address() : piece.address();
        long request = worker.send(peers[source].endpoint, address, bytes, tags.bulk(membership.rank(), number));
        if (request == 0 || UcxWorker.isError(request)) {
            bulk.completed((int) request);
        } else {
            operations.add(bulk, request);
        }
    }

    /** The bytes of an announced message on their way. */
    private final class BulkSend extends Operation {
        private final SendRequest send;
        private final @Nullable MemorySegment piece;

        BulkSend(SendRequest send, @Nullable MemorySegment piece) {
            this.send = send;
            this.piece = piece;
        }

        @Override
        int peer() {
            return send.peer;
        }

        @Override
        void completed(int status) {
            if (piece != null) {
                staging.give(piece);
            }
            end(send, status == UcxWorker.OK ? null : membership.lost(send.operation(), send.peer));
            if (status != UcxWorker.OK) {
                engine.departures().failed(send.peer, worker.describe(status));
            }
        }
    }

    /** A synchronous send has met its receive. */
    void matched(int source, int number) {
        SendRequest send = peers[source].sends.get(number);
        if (send != null) {
            end(send, null);
        }
    }

    /** The receiver has dropped the message of a send. */
    void cancelled(int source, int number) {
        SendRequest send = peers[source].sends.remove(number);
        if (send != null) {
            engine.completes();
            send.completeCancelled();
        }
    }

    private void end(SendRequest send, @Nullable DeviceException failure) {
        peers[send.peer].sends.remove(send.number);
        engine.completes();
        FlightEvents.messageEnds(send.recorded, membership.rank(), send.peer, send.tag, send.context, send.length);
        if (failure == null) {
            send.complete();
        } else {
            send.fail(failure);
        }
    }

    /**
     * What a peer has not fetched yet stays here, because it receives no more. If it leaves in good order, it has not received what
     * is to be cancelled, or would have said so.
     */
    void endSends(int rank, boolean inOrder) {
        for (SendRequest send : List.copyOf(peers[rank].sends.values())) {
            if (send.underWay) {
                continue;
            }
            if (inOrder && send.isAskedToCancel()) {
                cancelled(rank, send.number);
            } else {
                end(send, membership.lost(send.operation(), rank));
            }
        }
    }

    /** This rank is about to leave: its peers fetch what lies here and nobody waits for. Takes and leaves the lock. */
    void leave() {
        engine.lock();
        try {
            for (Peer peer : peers) {
                for (SendRequest send : List.copyOf(peer.sends.values())) {
                    if (send.announced && !send.underWay && !send.isAskedToCancel()) {
                        control(peer.rank, Control.KEEP, send.number, send.context);
                    }
                }
            }
        } finally {
            engine.unlock();
        }
    }

    /** Whether nothing that this rank has sent waits for it; takes and leaves the lock. */
    boolean isQuiet() {
        engine.lock();
        try {
            for (Peer peer : peers) {
                if (peer.rank != membership.rank() && !peer.gone && hasAnnounced(peer)) {
                    return false;
                }
            }
            return !operations.any(
                    each -> each.peer() >= 0 && !peers[each.peer()].gone && each.peer() != membership.rank());
        } finally {
            engine.unlock();
        }
    }

    private static boolean hasAnnounced(Peer peer) {
        for (SendRequest each : peer.sends.values()) {
            if (each.announced) {
                return true;
            }
        }
        return false;
    }
}
