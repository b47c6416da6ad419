package org.galerna.link.ofi.connection;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntFunction;
import org.galerna.link.CommunicationException;
import org.galerna.link.ofi.adapter.Engine;
import org.galerna.link.ofi.adapter.ReceiveBuffers;
import org.galerna.link.ofi.adapter.Sizes;
import org.galerna.link.ofi.wire.Word;
import org.galerna.link.support.Frames;
import org.galerna.nativeaccess.ofi.OfiException;
import org.jspecify.annotations.Nullable;

/** The peers that there is something to say to, or that have said something. Made inside the engine's lock, read by all threads. */
public final class Peers {
    private final ConnectionListener listener;
    private final Engine engine;
    private final Operations operations;
    private final int rank;
    private final Sizes sizes;
    private final ReceiveBuffers buffers;
    private final IntFunction<byte[]> addresses;
    private final AtomicReferenceArray<@Nullable Peer> peers;
    private final List<Peer> all = new CopyOnWriteArrayList<>();

    /**
     * Nobody is known.
     *
     * @param addresses of all ranks; may wait for the wire-up
     */
    public Peers(
            ConnectionListener listener,
            Engine engine,
            Operations operations,
            int rank,
            int size,
            Sizes sizes,
            ReceiveBuffers buffers,
            IntFunction<byte[]> addresses) {
        this.listener = listener;
        this.engine = engine;
        this.operations = operations;
        this.rank = rank;
        this.sizes = sizes;
        this.buffers = buffers;
        this.addresses = addresses;
        this.peers = new AtomicReferenceArray<>(size);
    }

    /** All of them. */
    public List<Peer> all() {
        return all;
    }

    /** A peer, whether its address is entered or not. */
    public Peer to(int number) {
        Peer known = peers.get(number);
        if (known != null) {
            return known;
        }
        engine.lock();
        try {
            return make(number);
        } finally {
            engine.unlock();
        }
    }

    private Peer make(int number) {
        Peer known = peers.get(number);
        if (known == null) {
            known = new Peer(listener, engine, operations, rank, number, sizes, buffers);
            peers.set(number, known);
            all.add(known);
            listener.met(number);
        }
        return known;
    }

    /**
     * A peer, whose address is entered. May wait for the wire-up.
     *
     * @throws CommunicationException if it cannot be reached
     */
    public Peer reach(int number) {
        Peer peer = to(number);
        if (!peer.isConnected() && peer.isUp()) {
            try {
                peer.connect(addresses.apply(number));
            } catch (OfiException refused) {
                throw new CommunicationException(
                        "rank " + rank + " cannot reach rank " + number + ": " + refused.getMessage(), refused);
            }
        }
        return peer;
    }

    /** Messages of frames that have come from a peer. */
    public long received(int number) {
        Peer known = peers.get(number);
        return known == null ? 0 : known.received();
    }

    /** A message has come; inside the engine's lock. A sender belongs to the job only if it is one of its ranks. */
    public void arrived(ReceiveBuffers.Slot slot) {
        boolean kept = false;
        if (slot.length() >= Frames.HEADER_BYTES) {
            long header = buffers.memory().get(Frames.LONG, slot.offset());
            int sender = Word.rank(Frames.word(header));
            if (sender < peers.length() && sender != rank) {
                kept = make(sender).arrived(slot, header);
            }
        }
        if (!kept) {
            buffers.post(slot);
        }
    }

    /** Sends everything that is claimed; true once it is over. For a rank that leaves. */
    public boolean finish() {
        boolean finished = true;
        for (Peer each : all) {
            finished &= each.finish();
        }
        return finished;
    }
}
