package org.galerna.link.shm;

import static org.galerna.link.shm.file.ControlPageLayout.ABSENT;
import static org.galerna.link.shm.file.ControlPageLayout.ATTACHED;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.invoke.VarHandle;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.galerna.link.Channel;
import org.galerna.link.CommunicationException;
import org.galerna.link.Footprint;
import org.galerna.link.Footprint.Amounts;
import org.galerna.link.Footprint.Range;
import org.galerna.link.FrameHandler;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkTraits;
import org.galerna.link.LinkWaiter;
import org.galerna.link.Wireup;
import org.galerna.link.process.OwnLog;
import org.galerna.link.shm.attachment.Attachment;
import org.galerna.link.shm.attachment.Membership;
import org.galerna.link.shm.board.ControlPage;
import org.galerna.link.shm.board.ShmFence;
import org.galerna.link.shm.board.Waiter;
import org.galerna.link.shm.file.ControlPageLayout;
import org.galerna.link.shm.file.PairFile;
import org.galerna.link.shm.file.QueueFile;
import org.galerna.link.shm.file.RingSize;
import org.galerna.link.shm.file.SharedFile;
import org.galerna.link.support.LinkBase;
import org.galerna.link.support.PrivateRings;
import org.galerna.memory.RecordRing;
import org.jspecify.annotations.Nullable;

/**
 * The attachment of a rank that is a process. In a small job each ordered pair of ranks that talk has a ring in a file of its
 * own, made by the sender at its first message; the receiver polls the rings that lead to it. In a larger one each rank has
 * a queue that all write to, and so many rings of busy pairs as {@link PrivateRings} says. What everybody must know of
 * everybody is on the {@link ControlPage}.
 */
final class ShmLink extends LinkBase implements Watch.Watched {
    static final String NAME = "shm";

    private static final Logger LOGGER = OwnLog.of("org.galerna.link.shm");
    private static final long CLAIM_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LOOK_NANOS = 20_000;

    private final Wireup wireup;
    private final Attachment attachment;
    private final ControlPage board;
    private final RingSize frames;
    private final boolean concurrentClaims;
    private final LinkTraits traits;
    private final Waiter waiter;
    private final Membership membership;
    private final ShmRma rma;
    private final Inbox inbox;

    private ShmLink(Wireup wireup, LinkOptions options, Attachment attachment, int patience) {
        super(wireup.rank(), wireup.size());
        this.wireup = wireup;
        this.attachment = attachment;
        this.board = attachment.board();
        this.frames = RingSize.ofFrames(options, wireup.size());
        this.concurrentClaims = options.concurrentClaims();
        this.traits = new LinkTraits(frames.maximumRecord(), RecordRing.INLINE_BYTES, frames.eagerLimit(), false);
        this.membership = new Membership(wireup, attachment, patience);
        this.waiter = new Waiter(membership.bell(rank), ShmFence.ofSleeper(wireup));
        this.rma = new ShmRma(attachment, membership);
        this.inbox = new Inbox(attachment, membership, rma, this::tellReleases);
    }

    /** Attaches the rank, and publishes where it is. */
    static ShmLink attach(Wireup wireup, LinkOptions options) {
        int patience = Membership.patience();
        try {
            Attachment attachment = Attachment.of(wireup, queue(wireup, options));
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

    /** What this rank's queue is like; null if there is a ring for each pair. */
    private static QueueFile.@Nullable Size queue(Wireup wireup, LinkOptions options) {
        OptionalInt rings = options.concurrentClaims() ? OptionalInt.empty() : PrivateRings.of(wireup.size());
        return rings.isEmpty()
                ? null
                : new QueueFile.Size(RingSize.ofFrames(options, wireup.size()).ofQueue(), rings.getAsInt());
    }

    @Override
    public ControlPage board() {
        return board;
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
    public Optional<Footprint> footprint(int peers) {
        int pairs = peers + 1; // a rank reaches itself in the same way
        QueueFile queue = attachment.queue().orElse(null);
        long rings = queue == null ? pairs : Math.min(pairs, queue.limit());
        long transfers =
                Math.min(pairs, ShmRma.most(attachment)); // one file for each peer that long messages come from
        long start = queue == null ? 0 : SharedFile.pages(QueueFile.bytes(size(), frames.ofQueue()));
        Range memory = new Range(
                start,
                start
                        + rings * SharedFile.pages(PairFile.bytes(frames))
                        + transfers
                                * SharedFile.pages(
                                        PairFile.bytes(RingSize.ofRequests(size()), RingSize.ofAnswers(size()))));
        long own = queue == null ? 0 : 1;
        return Optional.of(new Footprint(
                new Amounts(
                        memory,
                        Range.exactly(Attachment.OPEN_FILES),
                        Range.upTo(Waiter.MOST_THREADS),
                        new Range(own, own + rings + transfers)), // until the peer has mapped them
                Amounts.threads(Range.exactly(Watch.THREADS)),
                new Amounts(
                        Range.exactly(SharedFile.pages(ControlPageLayout.bytes(size()))),
                        Range.NOTHING,
                        Range.NOTHING,
                        Range.exactly(1))));
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
    public boolean reachesAll() {
        return wireup.common(attachment.key())
                .filter(attachment.address()::isSeenBy)
                .isPresent();
    }

    @Override
    protected Channel newChannel(int peer) {
        int state = board.state(peer);
        if (state == ABSENT) {
            throw new CommunicationException("rank " + peer + " has not attached to this host's shared memory yet");
        }
        return state == ATTACHED ? openTo(peer) : new GoneChannel(peer);
    }

    private Channel openTo(int peer) {
        try {
            if (attachment.queue().isPresent()) {
                return new ShmQueueChannel(this, peer, attachment.openQueue(peer), membership.bell(peer));
            }
            Channel channel = openRing(peer, false).channel();
            membership.announce(peer);
            return channel;
        } catch (IOException failure) {
            if (board.state(peer) != ATTACHED) {
                return new GoneChannel(peer); // which has taken its files along
            }
            throw new CommunicationException(
                    "rank " + rank + " cannot open a channel to rank " + peer + ": " + failure.getMessage(), failure);
        }
    }

    /** A ring to a peer, and the number by which that one finds it. */
    record MadeRing(ShmChannel channel, int number) {}

    private MadeRing openRing(int peer, boolean besideQueue) throws IOException {
        Attachment.MadeFrames made = attachment.createFrames(peer, frames, concurrentClaims);
        ShmChannel channel = new ShmChannel(
                peer, made.file(), concurrentClaims, board, membership.bell(peer), besideQueue, this::forget);
        return new MadeRing(channel, made.number());
    }

    // ---- rings beside queues

    /** A ring for the way to a peer that has reserved room for it; null if there is none here, and the queue has to do. */
    @Nullable
    MadeRing openReservedRing(int peer) {
        try {
            return openRing(peer, true);
        } catch (IOException noRoom) {
            LOGGER.log(Level.DEBUG, "no ring to rank {0}: {1}", String.valueOf(peer), noRoom.getMessage());
            return null;
        }
    }

    /** Lets {@link #connect} answer with the channel into a ring, in place of one into the peer's queue. */
    void use(ShmChannel ring, ShmQueueChannel former) {
        replace(former, ring);
    }

    private void tellReleases(FrameHandler handler) {
        for (int peer = 0; peer < size(); peer++) {
            if (opened(peer) instanceof ShmChannel ring && ring.isReleaseAsked()) {
                handler.onReleaseAsked(peer);
            }
        }
    }

    @Override
    public void forget(Channel channel) {
        super.forget(channel);
        membership.raise(channel.peer());
    }

    @Override
    public int poll(FrameHandler handler, int limit) {
        int handled = inbox.poll(handler, limit);
        rma.polled(handled > 0);
        return handled;
    }

    /** Bytes that this rank has copied for peers, out of and into its regions; a racy look. */
    long copiedForPeers() {
        return rma.copiedForPeers();
    }

    @Override
    public ShmRma rma() {
        return rma;
    }

    @Override
    public LinkWaiter waiter() {
        return waiter;
    }

    @Override
    public void rouse(int peer) {
        if (peer != rank && board.state(peer) == ATTACHED) {
            board.call(peer);
        }
    }

    @Override
    public void hearCall() {
        if (board.takeCall(rank)) {
            roused();
        }
    }

    @Override
    public void watch() {
        membership.look();
    }

    @Override
    protected void leave() {
        VarHandle.fullFence(); // see ShmQueueChannel.begin
        awaitOpenClaims();
        membership.stop();
    }

    /**
     * Others take it that a rank that has stopped commits nothing more. A thread that is just writing a frame into a queue takes a
     * moment to do so; what it has not committed after a second is given up, as that of a process that has died.
     */
    private void awaitOpenClaims() {
        long deadline = System.nanoTime() + CLAIM_NANOS;
        for (int peer = 0; peer < size(); peer++) {
            while (opened(peer) instanceof ShmQueueChannel queue
                    && queue.hasOpenClaim()
                    && System.nanoTime() - deadline < 0) {
                LockSupport.parkNanos(this, LOOK_NANOS);
            }
        }
    }

    @Override
    public boolean drain(long nanos) {
        return true; // files and their memory outlive the link
    }

    /** Leaves the job, and removes the files if this was the last rank. */
    @Override
    protected void end() {
        Watch.instance().remove(this);
        rma.close();
        attachment.close();
    }
}
