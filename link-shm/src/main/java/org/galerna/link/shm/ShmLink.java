package org.galerna.link.shm;

import static org.galerna.link.shm.BoardLayout.ABSENT;
import static org.galerna.link.shm.BoardLayout.ATTACHED;
import static org.galerna.link.shm.BoardLayout.CORRUPT;
import static org.galerna.link.shm.BoardLayout.ENDED;
import static org.galerna.link.shm.BoardLayout.STOPPED;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.galerna.link.Channel;
import org.galerna.link.CommunicationException;
import org.galerna.link.FrameHandler;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkTraits;
import org.galerna.link.LinkWaiter;
import org.galerna.link.Wireup;
import org.galerna.memory.RecordRing;
import org.jspecify.annotations.Nullable;

/**
 * The attachment of a rank that is a process. Each ordered pair of ranks that talk has a ring in a file of its own, made by
 * the sender at its first message; the receiver polls the rings that lead to it. What everybody must know of everybody
 * is on the {@link Board}.
 */
final class ShmLink implements Link {
    static final String NAME = "shm";

    private final Wireup wireup;
    private final int rank;
    private final Attachment attachment;
    private final Board board;
    private final RingSize frames;
    private final boolean concurrentClaims;
    private final LinkTraits traits;
    private final Waiter waiter;
    private final Membership peers;
    private final AtomicReferenceArray<@Nullable Channel> channels;
    private final ShmRma transfers;
    private final Inbox inbox;
    private volatile Runnable attendant = () -> {};
    private boolean hadFrames; // the last poll; racy, as a thread that takes it for another one's only helps later

    private ShmLink(Wireup wireup, LinkOptions options, Attachment attachment, int patience) {
        this.wireup = wireup;
        this.rank = wireup.rank();
        this.attachment = attachment;
        this.board = attachment.board();
        this.frames = RingSize.ofFrames(options, wireup.size());
        this.concurrentClaims = options.concurrentClaims();
        this.traits = new LinkTraits(frames.maximumRecord(), RecordRing.INLINE_BYTES, frames.eagerLimit(), false);
        this.waiter = new Waiter(bell(rank), ShmFence.INSTANCE);
        this.peers = new Membership(wireup, attachment, patience);
        this.channels = new AtomicReferenceArray<>(wireup.size());
        this.transfers = new ShmRma(this, attachment);
        this.inbox = new Inbox(this, attachment, transfers);
    }

    /** Attaches the rank, and publishes where it is. */
    static ShmLink attach(Wireup wireup, LinkOptions options) {
        int patience = Watch.patience();
        try {
            Attachment attachment = Attachment.of(wireup);
            try {
                ShmLink link = new ShmLink(wireup, options, attachment, patience);
                wireup.put(attachment.key(), attachment.address().bytes());
                Watch.instance().add(link);
                return link;
            } catch (RuntimeException failed) {
                attachment.close();
                throw failed;
            }
        } catch (IOException failure) {
            throw new CommunicationException(
                    "rank " + wireup.rank() + " cannot use shared memory: " + failure.getMessage(), failure);
        }
    }

    int rank() {
        return rank;
    }

    Board board() {
        return board;
    }

    Bell bell(int peer) {
        return board.bell(peer, ShmFence.INSTANCE);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public LinkTraits traits() {
        return traits;
    }

    @Override
    public Optional<String> unreachable(int peer) {
        byte[] published;
        try {
            published = wireup.get(peer, attachment.key());
        } catch (CommunicationException nothing) {
            return Optional.of("rank " + peer + " cannot use shared memory");
        }
        return attachment.address().unreachable(peer, published);
    }

    @Override
    public Channel connect(int peer) {
        Channel channel = channels.get(peer);
        return channel != null ? channel : open(peer);
    }

    private synchronized Channel open(int peer) {
        Channel existing = channels.get(peer);
        if (existing != null) {
            return existing;
        }
        int state = board.state(peer);
        if (state == ABSENT) {
            throw new CommunicationException("rank " + peer + " has not attached to this host's shared memory yet");
        }
        Channel channel = state == ATTACHED ? openRing(peer) : new GoneChannel(peer);
        channels.set(peer, channel);
        return channel;
    }

    private ShmChannel openRing(int peer) {
        try {
            PairFile file = attachment.createFrames(peer, frames, concurrentClaims);
            ShmChannel channel = new ShmChannel(peer, file, concurrentClaims, board, bell(peer), this);
            announce(peer);
            return channel;
        } catch (IOException failure) {
            throw new CommunicationException(
                    "rank " + rank + " cannot open a channel to rank " + peer + ": " + failure.getMessage(), failure);
        }
    }

    /** Tells a peer that this rank has opened something to it. */
    void announce(int peer) {
        board.announce(rank, peer);
        raise(peer);
    }

    private void raise(int peer) {
        board.raise(peer);
        bell(peer).ring();
    }

    void forget(ShmChannel channel) {
        channels.compareAndSet(channel.peer(), channel, null);
        raise(channel.peer());
    }

    /** Gives a peer up that has written what nobody should. */
    void distrust(int peer) {
        if (board.changeState(peer, ATTACHED, CORRUPT)) {
            raiseAll();
        }
    }

    /** Why a peer is gone; null if it is there, or has never been. */
    @Nullable
    String goneBecause(int peer) {
        return switch (board.state(peer)) {
            case ABSENT, ATTACHED -> null;
            case STOPPED -> FrameHandler.LEFT;
            case ENDED -> "its process has ended";
            default -> "it has written what no rank of this version writes into shared memory";
        };
    }

    /** Whether what a peer that is gone has left can be read. */
    boolean hasLeftReadable(int peer) {
        int state = board.state(peer);
        return state == STOPPED || state == ENDED;
    }

    boolean hasDied(int peer) {
        return board.state(peer) == ENDED;
    }

    @Override
    public int poll(FrameHandler handler, int limit) {
        int handled = inbox.poll(handler, limit);
        hadFrames = handled > 0;
        return handled;
    }

    /** Bytes that this rank has copied for peers, out of and into its regions; a racy look. */
    long copiedForPeers() {
        return transfers.copiedForPeers();
    }

    /** Whether the last poll has found any, which is asked once: who has got something does not wait. */
    boolean hadFrames() {
        boolean had = hadFrames;
        hadFrames = false; // the next poll looks after transfers
        return had;
    }

    @Override
    public ShmRma rma() {
        return transfers;
    }

    @Override
    public LinkWaiter waiter() {
        return waiter;
    }

    @Override
    public void attend(Runnable called) {
        attendant = called;
    }

    @Override
    public void rouse(int peer) {
        if (peer != rank && board.state(peer) == ATTACHED) {
            board.call(peer);
        }
    }

    /** Has the rank attended to what has come for it, if a peer wants that; by the watching thread. */
    void hearCall() {
        if (board.takeCall(rank)) {
            attendant.run();
        }
    }

    /** Shows that this rank lives, and looks whether the others do; by the watching thread. */
    void watch() {
        if (peers.look()) {
            raiseAll();
        }
    }

    private void raiseAll() {
        for (int peer = 0; peer < board.ranks(); peer++) {
            if (board.state(peer) == ATTACHED) {
                raise(peer);
            }
        }
    }

    @Override
    public void stop() {
        if (board.changeState(rank, ATTACHED, STOPPED)) {
            raiseAll();
        }
    }

    @Override
    public boolean drain(long nanos) {
        return true; // files and their memory outlive the link
    }

    /** Leaves the job, and removes the files if this was the last rank. */
    @Override
    public void close() {
        stop();
        Watch.instance().remove(this);
        transfers.close();
        attachment.close();
    }
}
