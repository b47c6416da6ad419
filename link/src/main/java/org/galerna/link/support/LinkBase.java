package org.galerna.link.support;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.galerna.link.Channel;
import org.galerna.link.Link;
import org.jspecify.annotations.Nullable;

/** What links have in common: a channel to each peer, made at its first use, and the steps of closing, each taken once. */
public abstract class LinkBase implements Link {
    protected final int rank;
    protected final LinkLife life = new LinkLife();
    private final AtomicReferenceArray<@Nullable Channel> channels;
    private final Object closing = new Object();
    private volatile Runnable attendant = () -> {};

    protected LinkBase(int rank, int size) {
        this.rank = rank;
        this.channels = new AtomicReferenceArray<>(size);
    }

    /** This rank. */
    public final int rank() {
        return rank;
    }

    /** Ranks of the job. */
    public final int size() {
        return channels.length();
    }

    // ---- channels

    @Override
    public final Channel connect(int peer) {
        Channel channel = channels.get(peer);
        return channel != null ? channel : open(peer);
    }

    private synchronized Channel open(int peer) {
        Channel channel = channels.get(peer);
        if (channel == null) {
            channel = newChannel(peer);
            channels.set(peer, channel);
        }
        return channel;
    }

    /** Makes the channel to a peer; one thread at a time. */
    protected abstract Channel newChannel(int peer);

    /** A channel is closed: the next {@link #connect} makes another one. */
    public void forget(Channel channel) {
        channels.compareAndSet(channel.peer(), channel, null);
    }

    /** Lets {@link #connect} answer with a channel in place of the former one, unless that is closed: then this one is, too. */
    protected final void replace(Channel former, Channel channel) {
        if (!channels.compareAndSet(channel.peer(), former, channel)) {
            channel.close();
        }
    }

    /** The channel to a peer; null if there is none. */
    protected final @Nullable Channel opened(int peer) {
        return channels.get(peer);
    }

    // ---- waiting

    /** Wakes the threads of this rank. */
    public void wakeUp() {
        waiter().wakeUp();
    }

    @Override
    public void attend(Runnable called) {
        attendant = called;
    }

    /** A peer wants this rank to look at what has come for it. */
    public void roused() {
        attendant.run();
    }

    // ---- closing

    /** Whether this rank has left. */
    public final boolean isStopped() {
        return life.isStopped();
    }

    @Override
    public void stop() {
        boolean unused = beginToLeave();
    }

    /** Stops, if that is not done; true for the first. Another thread that comes meanwhile waits until it is. */
    protected final boolean beginToLeave() {
        synchronized (closing) {
            boolean first = life.stop();
            if (first) {
                leave();
            }
            return first;
        }
    }

    /** Has the peers learn that this rank leaves; once. */
    protected abstract void leave();

    /** Stops, and frees everything. A second thread that closes the link waits for the first. */
    @Override
    public final void close() {
        synchronized (closing) {
            boolean unused = beginToLeave();
            if (!life.isClosed()) {
                end();
                life.close();
            }
        }
    }

    /** Frees everything; once. */
    protected abstract void end();
}
