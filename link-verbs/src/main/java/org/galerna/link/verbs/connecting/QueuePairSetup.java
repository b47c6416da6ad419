package org.galerna.link.verbs.connecting;

import java.security.SecureRandom;
import org.galerna.link.verbs.adapter.Attachment;
import org.galerna.link.verbs.adapter.Sizes;
import org.galerna.link.verbs.adapter.VerbsOptions;
import org.galerna.link.verbs.connection.Connection;
import org.galerna.link.verbs.registered.FlushTarget;
import org.galerna.link.verbs.wire.PeerInfo;
import org.galerna.nativeaccess.verbs.QueuePair;
import org.galerna.nativeaccess.verbs.QueuePairAddress;
import org.galerna.nativeaccess.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/** What two ranks tell each other before their queue pairs can be connected, and connecting them by that. The manager's thread. */
public final class QueuePairSetup {
    private static final int PACKET_NUMBERS = 1 << 24;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Attachment attachment;
    private final Sizes sizes;
    private final FlushTarget flushTarget;

    public QueuePairSetup(Attachment attachment, Sizes sizes, FlushTarget flushTarget) {
        this.attachment = attachment;
        this.sizes = sizes;
        this.flushTarget = flushTarget;
    }

    /** The queue pair of a connection, made and initialized. */
    QueuePair initialized(Connection connection) throws VerbsException {
        QueuePair pair = connection.prepare();
        pair.initialize(attachment.choice().port().number());
        return pair;
    }

    /** The number of the first packet: nobody who does not know it can slip one in. */
    private static int firstPacket(QueuePair pair) {
        return (int) (RandomStart.VALUE + pair.number() * 0x9e3779b9L) & (PACKET_NUMBERS - 1);
    }

    private static final class RandomStart {
        static final long VALUE = RANDOM.nextLong();
    }

    /** What this rank tells of itself; null for the queue pair if RDMA CM connects it. */
    PeerInfo info(@Nullable QueuePair pair) {
        byte[] gid = attachment.choice().gid() == null
                ? new byte[16]
                : attachment.choice().gid().bytes();
        QueuePairAddress address = new QueuePairAddress(
                pair == null ? 0 : pair.number(),
                pair == null ? 0 : firstPacket(pair),
                attachment.choice().port().lid(),
                gid);
        return new PeerInfo(
                sizes.slotBytes(),
                sizes.credits(),
                attachment.mtu(),
                flushTarget.address(),
                flushTarget.remoteKey(),
                address);
    }

    /**
     * Compares what a peer tells of itself.
     *
     * @throws IllegalStateException if the two do not fit
     */
    void check(PeerInfo theirs) {
        if (theirs.slotBytes() != sizes.slotBytes() || theirs.credits() != sizes.credits()) {
            throw new IllegalStateException("it takes " + theirs.credits() + " messages of " + theirs.slotBytes()
                    + " bytes and this rank " + sizes.credits() + " of " + sizes.slotBytes()
                    + "; all ranks need the same options " + VerbsOptions.PREFIX + "*");
        }
    }

    /** Connects a queue pair with that of a peer. */
    void join(QueuePair pair, PeerInfo theirs) throws VerbsException {
        var path = attachment.path(Math.max(256, Integer.highestOneBit(theirs.mtu())));
        pair.receiveFrom(theirs.address(), path);
        pair.startSending(firstPacket(pair), path);
    }
}
