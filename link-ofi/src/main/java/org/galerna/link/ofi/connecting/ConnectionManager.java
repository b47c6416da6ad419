package org.galerna.link.ofi.connecting;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.galerna.link.CommunicationException;
import org.galerna.link.Link;
import org.galerna.link.ofi.connection.Peer;
import org.galerna.link.ofi.wire.ControlMessage;
import org.galerna.link.support.ControlOutbox;
import org.galerna.link.support.CountMessage;
import org.galerna.link.support.LinkManager;
import org.galerna.link.support.Membership;
import org.galerna.link.support.ProtocolException;
import org.galerna.link.support.Suspicions;

/**
 * Notices who leaves and who is lost, on a thread of its own, which listens to the control link: few providers of libfabric tell
 * that a peer has died. Messages do not pass through it. A rank that leaves waits until its peers say that all its messages have
 * come, because an operation of libfabric may be over when a message is merely on its way.
 */
public final class ConnectionManager extends LinkManager {
    /** The link of which it is a part. Any thread may call. */
    public interface Owner {
        /** The peers that there is something to say to, or that have said something. */
        List<Peer> peers();

        /** Messages of frames that have come from a peer. */
        long received(int peer);

        /** Whether the provider has taken a message to a peer. */
        boolean isReached(int peer);

        /** What a line ends with that says that the provider does not reach a peer. */
        String mayBeWhy();

        /** Makes progress for a thread that does not poll. */
        void progress();

        /** Something has changed that a waiting thread may care for. */
        void wakeUp();

        /** A peer wants this rank to look at what has come for it. */
        void roused();

        /**
         * Once in a while, for a rank that does not poll.
         *
         * @return whether something is under way, so that this should soon be called again
         */
        boolean tick();
    }

    private final Owner owner;
    private final String provider;
    private final int size;
    private final Membership membership;

    // of the thread
    private final ControlOutbox outbox;
    private final Map<Integer, Long> leavers = new HashMap<>(); // whose messages have not all come, with their number
    private final Set<Integer> unwatched = new HashSet<>(); // who is talked to, and not connected yet
    private final FirstMessages firstMessages = new FirstMessages();
    private final Set<Integer> awaited = new HashSet<>(); // who has to say that all has come
    private long lastLoss = System.nanoTime() - 2 * Suspicions.NANOS;

    /**
     * Not started.
     *
     * @param name of the thread
     * @param provider its name
     */
    public ConnectionManager(String name, String provider, Owner owner, int size, Membership membership, Link control) {
        super(name, control);
        this.provider = provider;
        this.owner = owner;
        this.size = size;
        this.membership = membership;
        this.outbox =
                new ControlOutbox(control, this::lost, () -> awaited.isEmpty() && leavers.isEmpty(), owner::wakeUp);
    }

    // ---- jobs, from any thread

    /** A peer is talked to: there is to be a connection that tells when it ends. */
    public void watch(int peer) {
        tell(() -> unwatched.add(peer));
    }

    /** The provider does not take the first message to a peer at the moment. */
    public void waitsFor(int peer) {
        tell(() -> firstMessages.add(peer));
    }

    /** Connects to a peer, unless it is gone; false if it has not attached yet. */
    private boolean meet(int peer) {
        if (membership.isGone(peer)) {
            return true;
        }
        try {
            return control.connect(peer).peer() == peer;
        } catch (CommunicationException notYet) {
            return false;
        }
    }

    @Override
    public void lose(int peer, String reason) {
        tell(() -> suspect(peer, reason));
    }

    /** Something has not reached a peer, and nobody knows which. */
    public void loseSomebody(String reason) {
        tell(() -> suspicions.add(size, reason));
    }

    /** Nothing works any more. */
    public void loseAll(String reason) {
        tell(() -> {
            for (int peer = 0; peer < size; peer++) {
                lost(peer, reason);
            }
        });
    }

    @Override
    public void rouse(int peer) {
        tell(() -> outbox.send(peer, ControlMessage.of(ControlMessage.ROUSE)));
    }

    @Override
    public void leave() {
        tell(this::sayGoodbye);
    }

    /** Whether they have all that it has sent, too. */
    @Override
    public boolean hasLeft() {
        return outbox.isClosed();
    }

    // ---- the thread

    @Override
    protected boolean manage() {
        unwatched.removeIf(this::meet);
        acknowledge();
        firstMessages.look(
                peer -> membership.isGone(peer) || owner.isReached(peer),
                peer -> outbox.sendLater(peer, ControlMessage.of(ControlMessage.ASK)),
                peer -> lost(
                        peer,
                        "it is there, and libfabric's provider " + provider + " does not reach it" + owner.mayBeWhy()));
        outbox.flush();
        suspicions.confirm(this::hasSentAll, this::confirm);
        return owner.tick() || !leavers.isEmpty();
    }

    private void acknowledge() {
        if (leavers.isEmpty()) {
            return;
        }
        owner.progress();
        leavers.entrySet().removeIf(each -> {
            boolean complete = owner.received(each.getKey()) >= each.getValue();
            if (complete) {
                outbox.add(each.getKey(), ControlMessage.of(ControlMessage.RECEIVED));
            }
            return complete;
        });
    }

    @Override
    public void onFrame(int peer, MemorySegment memory, long offset, int length) {
        try {
            handle(peer, ControlMessage.read(memory, offset, length));
        } catch (ProtocolException wrong) {
            lost(peer, "it does not keep to the protocol: " + wrong.getMessage());
        }
    }

    private void handle(int peer, CountMessage message) {
        switch (message.kind()) {
            case ControlMessage.LEAVING -> {
                membership.announce(peer, message.messages());
                leavers.put(peer, message.messages());
                acknowledge();
            }
            case ControlMessage.RECEIVED -> awaited.remove(peer);
            case ControlMessage.LOST -> suspect(peer, "it has lost this rank");
            case ControlMessage.ASK -> outbox.send(peer, ControlMessage.of(ControlMessage.HERE));
            case ControlMessage.HERE -> firstMessages.answer(peer);
            default -> owner.roused();
        }
    }

    @Override
    public void onPeerLost(int peer, String reason) {
        suspicions.remove(peer);
        lastLoss = System.nanoTime();
        awaited.remove(peer);
        boolean waited = leavers.remove(peer) == null; // otherwise what has not come by now will not
        if (waited ? membership.leave(peer, reason) : membership.lose(peer, reason)) {
            owner.wakeUp();
        }
    }

    // ---- ends

    private void suspect(int peer, String reason) {
        if (!membership.isGone(peer)) {
            suspicions.add(peer, reason);
        }
    }

    private boolean hasSentAll(int peer) {
        return peer != size && membership.hasSentAll(peer, owner.received(peer));
    }

    private void confirm(int peer, String reason) {
        if (peer != size) {
            lost(peer, reason);
        } else if (System.nanoTime() - lastLoss >= 2 * Suspicions.NANOS) { // nobody whom it can have been for is gone
            for (int everybody = 0; everybody < size; everybody++) {
                lost(everybody, "a message has not reached its receiver: " + reason);
            }
        }
    }

    private void lost(int peer, String reason) {
        if (membership.lose(peer, reason)) {
            leavers.remove(peer);
            awaited.remove(peer);
            owner.wakeUp();
            outbox.sendLater(peer, ControlMessage.of(ControlMessage.LOST));
        }
    }

    private void sayGoodbye() {
        if (!outbox.leave(ControlMessage.of(ControlMessage.ROUSE)::equals)) {
            return;
        }
        for (Peer each : owner.peers()) {
            if (!membership.isGone(each.peer()) && each.messages() > 0) {
                outbox.add(each.peer(), ControlMessage.leaving(each.messages()));
                awaited.add(each.peer());
            }
        }
        outbox.flush();
    }
}
