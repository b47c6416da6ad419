package org.galerna.device.ucx;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.galerna.link.CommunicationException;
import org.galerna.link.FrameHandler;
import org.galerna.link.Link;
import org.galerna.link.Wireup;
import org.galerna.link.wireup.ControlWireup;

/**
 * Which ranks are there, by a control link beside UCX, as with other networks: it notices processes that have ended, also where
 * UCX does not, and says of one that gives no sign of life that it may be stopped. No message passes through it. A rank that
 * leaves in good order says so by UCX. For one thread at a time.
 */
final class Presence implements FrameHandler, AutoCloseable {
    private static final int LIMIT = 64;

    private final Departures departures;
    private final Link control;
    private final Queue<Integer> met = new ConcurrentLinkedQueue<>();

    /** Tells the others where this rank is found; before a fence. */
    Presence(Wireup wireup, Departures departures) {
        this.departures = departures;
        this.control = ControlWireup.next(wireup, UcxDeviceProvider.NAME).openLink();
    }

    /** All ranks have told where they are found: each is watched by the one before it. After the fence. */
    void begin(int next) {
        Optional<String> unused = control.unreachable(next);
    }

    /** A peer is talked to, or talks, for the first time: a connection is to tell when it ends. Any thread. */
    void met(int peer) {
        met.add(peer);
    }

    /** Looks for news; takes and leaves the lock. */
    void look() {
        Integer peer;
        while ((peer = met.poll()) != null) {
            connect(peer);
        }
        control.poll(this, LIMIT);
    }

    private void connect(int peer) {
        try {
            control.connect(peer);
        } catch (CommunicationException unreachable) {
            // UCX may reach it all the same
        }
    }

    @Override
    public void onFrame(int peer, MemorySegment memory, long offset, int length) {
        // nobody sends any
    }

    @Override
    public void onPeerLeft(int peer) {
        departures.closed(peer); // it has said that it leaves by UCX, behind its last message
    }

    @Override
    public void onPeerLost(int peer, String reason) {
        departures.ended(peer, reason);
    }

    @Override
    public void close() {
        control.close();
    }
}
