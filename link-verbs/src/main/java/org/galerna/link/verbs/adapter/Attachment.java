package org.galerna.link.verbs.adapter;

import org.galerna.nativeaccess.verbs.Adapter;
import org.galerna.nativeaccess.verbs.AdapterLimits;
import org.galerna.nativeaccess.verbs.CompletionChannel;
import org.galerna.nativeaccess.verbs.CompletionQueue;
import org.galerna.nativeaccess.verbs.InlineProbe;
import org.galerna.nativeaccess.verbs.Path;
import org.galerna.nativeaccess.verbs.ProtectionDomain;
import org.galerna.nativeaccess.verbs.QueuePair;
import org.galerna.nativeaccess.verbs.SharedReceiveQueue;
import org.galerna.nativeaccess.verbs.VerbsException;
import org.galerna.nativeaccess.verbs.VerbsLibrary;

/** What a rank has on its adapter whoever it talks to: one completion queue and one receive queue for all peers. */
public final class Attachment implements AutoCloseable {
    private static final int MOST_READS = 16;

    private final AdapterChoice choice;
    private final Sizes sizes;
    private final int trafficClass;
    private final int ackTimeout;
    private final int mtu;
    private final Adapter adapter;
    private final ProtectionDomain domain;
    private final CompletionChannel channel;
    private final CompletionQueue completions;
    private final SharedReceiveQueue receives;
    private final int reads;
    private final int peers;
    private final int inlineLimit;
    private final Belongings belongings = new Belongings();

    private Attachment(AdapterChoice choice, VerbsOptions options, Sizes sizes, int ranks) throws VerbsException {
        this.choice = choice;
        this.sizes = sizes;
        this.trafficClass = options.trafficClass();
        this.ackTimeout = options.ackTimeout();
        this.mtu = options.mtu() == 0
                ? choice.port().mtu()
                : Math.min(options.mtu(), choice.port().mtu());
        try {
            this.adapter = keep(VerbsLibrary.open().adapter(choice.adapter()));
            AdapterLimits limits = adapter.limits();
            this.reads = Math.clamp(Math.min(limits.readsAsTarget(), limits.readsAsInitiator()), 1, MOST_READS);
            int perPeer = sizes.receives() + sizes.sends();
            this.peers = Math.min(
                    Math.max(1, ranks - 1),
                    Math.min(limits.completions() / perPeer, limits.sharedReceives() / sizes.receives()));
            this.domain = keep(adapter.newProtectionDomain());
            this.channel = keep(adapter.newCompletionChannel());
            this.completions = keep(adapter.newCompletionQueue(peers * perPeer, channel));
            this.receives = keep(domain.newSharedReceiveQueue(peers * sizes.receives()));
            this.inlineLimit = new InlineProbe(domain, completions, receives, sizes.sends()).limit(options.inline());
        } catch (VerbsException | RuntimeException failed) {
            close();
            throw failed;
        }
    }

    public static Attachment open(VerbsOptions options, Sizes sizes, int ranks) throws VerbsException {
        return new Attachment(AdapterChoice.of(options), options, sizes, ranks);
    }

    /** Has something closed with this, before what was made earlier. */
    public <T extends AutoCloseable> T keep(T part) {
        return belongings.keep(part);
    }

    public Adapter adapter() {
        return adapter;
    }

    public AdapterChoice choice() {
        return choice;
    }

    public ProtectionDomain domain() {
        return domain;
    }

    CompletionChannel channel() {
        return channel;
    }

    public CompletionQueue completions() {
        return completions;
    }

    SharedReceiveQueue receives() {
        return receives;
    }

    /** Peers that there is room for in the queues. */
    int peers() {
        return peers;
    }

    /** RDMA reads that may be under way each way between two queue pairs. */
    public int reads() {
        return reads;
    }

    /** Longest message that is sent inline, in bytes. */
    public int inlineLimit() {
        return inlineLimit;
    }

    /** Whether messages carry an immediate word. */
    public boolean hasImmediate() {
        return !adapter.isIwarp();
    }

    public int trafficClass() {
        return trafficClass;
    }

    /** What queue pairs that RDMA CM connects are to have as {@code ack.timeout}; 0 for what it takes itself. */
    public int ackTimeout() {
        return ackTimeout;
    }

    /** How a peer is reached that says what packets it takes; where RDMA CM does not decide that. */
    public Path path(int peersMtu) {
        return new Path(
                choice.port().number(),
                choice.gid() == null ? 0 : choice.gid().index(),
                choice.port().ethernet(),
                Math.min(mtu, peersMtu),
                trafficClass,
                ackTimeout == 0 ? VerbsOptions.ACK_TIMEOUT : ackTimeout,
                reads);
    }

    public int mtu() {
        return mtu;
    }

    /** A queue pair that is not connected yet. */
    public QueuePair newQueuePair() throws VerbsException {
        return domain.newQueuePair(completions, receives, sizes.sends(), inlineLimit);
    }

    /** Lets everything go; connections must be closed before. */
    @Override
    public void close() {
        belongings.close();
    }
}
