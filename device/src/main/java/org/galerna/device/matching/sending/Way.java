package org.galerna.device.matching.sending;

import org.galerna.link.Channel;
import org.galerna.link.EarlyChannel;
import org.galerna.link.Link;
import org.galerna.link.events.FlightEvents;
import org.jspecify.annotations.Nullable;

/** The channel to a peer, opened at its first use and followed when the link replaces it. Guarded by the peer's lock. */
final class Way {
    private final int own;
    private final int rank;
    private final Link link;
    private @Nullable Channel channel;
    private @Nullable EarlyChannel early; // the same, if it can do that

    /** Short messages in one frame, behind which everything else goes. */
    final Batch batch = new Batch();

    Way(int own, int rank, Link link) {
        this.own = own;
        this.rank = rank;
        this.link = link;
    }

    Channel channel() {
        Channel open = channel;
        return open == null ? reopen() : open;
    }

    /** Opens the channel, or gets the one in the place of one that has moved. */
    Channel reopen() {
        Channel open = link.connect(rank);
        if (channel == null) {
            FlightEvents.channelOpened(own, rank, link.name());
        }
        early = open.early();
        channel = open;
        return open;
    }

    /** The open channel as one that publishes frames early; null if it cannot, or there is none. */
    @Nullable
    EarlyChannel early() {
        return early;
    }

    /** Claims a frame of its own, behind what is in the batch; refused as by {@link Channel#claim}. */
    long claim(int length) {
        Channel to = channel();
        batch.close(to);
        return to.claim(length);
    }

    /** As {@link #claim}; if the channel has moved, in the one that has taken its place. */
    long claimAnywhere(int length) {
        long claim = claim(length);
        while (claim == Channel.MOVED) {
            claim = reopen().claim(length);
        }
        return claim;
    }

    void closeBatch() {
        batch.close(channel());
    }

    /** Gives the memory back that the channel has for itself alone. */
    void release() {
        Channel open = channel;
        if (open != null) {
            batch.close(open);
            open.release();
        }
    }
}
