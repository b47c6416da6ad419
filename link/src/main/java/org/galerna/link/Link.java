package org.galerna.link;

import java.util.Optional;

/**
 * The attachment of one rank to one network. Small things travel as frames through {@link Channel}s, large ones
 * directly between registered memory, by {@link Rma}.
 *
 * <p><b>Progress</b> is made by callers: a link has no thread of its own on the data path.
 *
 * <p><b>Threads.</b> Methods may be called by any thread. {@link #poll} must not be called by two threads at once, and
 * one thread's use must happen before the next one's; everything else is safe for use by many threads at once.
 *
 * <p><b>Blocking.</b> Only {@link #drain} and {@link LinkWaiter#await} block.
 *
 * <p><b>Life.</b> Opened by a {@link LinkProvider}, closed in three steps, each idempotent: {@link #stop},
 * {@link #drain}, {@link #close}.
 */
public interface Link extends AutoCloseable {
    /** Name of the network, as in {@link LinkProvider#name}. */
    String name();

    /** What is good to know of it before it is used. */
    LinkTraits traits();

    /**
     * What the link takes for this rank, its process and its host; empty if it does not know that.
     *
     * @param peers number of other ranks that it reaches
     */
    default Optional<Footprint> footprint(int peers) {
        return Optional.empty();
    }

    /**
     * Why this link cannot reach a peer, in one sentence, e.g. {@code "rank 3 runs on another host"}; empty if it can. To
     * be asked after the fence that follows {@link LinkProvider#open}. Both sides come to the same answer. May wait for
     * the wire-up's answer, and for nothing else.
     */
    default Optional<String> unreachable(int peer) {
        return Optional.empty();
    }

    /**
     * Whether {@link #unreachable} would be empty for every rank, and the link knows that without a look at each; false if it does not know.
     * To be asked after the same fence. Does not block.
     */
    default boolean reachesAll() {
        return false;
    }

    /**
     * The link that reaches a peer: this one, unless it is composed of several. What concerns that peer alone (traits,
     * channel, regions, transfers) goes through the answer; polling, waiting and closing through the whole.
     *
     * @throws CommunicationException if no link reaches the peer
     */
    default Link via(int peer) {
        return this;
    }

    /**
     * The channel to a peer. Opened at the first call, without waiting for the peer: until it is up, claims on it are
     * answered by back-pressure. Later calls return the same channel, until that one is {@linkplain Channel#close
     * closed} or, on a network where peers can come back, its peer is lost. The own rank is a peer like any other.
     */
    Channel connect(int peer);

    /**
     * Hands inbound frames to the handler, in the order of their commits per peer, and reports peers that are gone. The
     * memory of a frame is the handler's until it returns.
     *
     * @param limit frames to take from one peer at most, so that a flood from one does not starve the others
     * @return number of frames handled, and of peers and of regions that were read reported
     */
    int poll(FrameHandler handler, int limit);

    /** Access to the memory of peers. */
    Rma rma();

    /** Where the threads of this rank sleep. */
    LinkWaiter waiter();

    /**
     * Has something done whenever a peer {@linkplain #rouse rouses} this rank, in whichever thread learns of it. To be
     * called once, before anything is sent.
     *
     * @param attendant returns at once, throws nothing, and calls no method of this link
     */
    void attend(Runnable attendant);

    /**
     * Asks a peer to look at what has come for it, whatever its own threads do: it may compute, or sleep, and make no call.
     * Does not block, and tells nothing: who needs an answer asks again after some time. No effect on the own rank and on a
     * peer that is gone.
     */
    void rouse(int peer);

    /** Step one of closing: peers learn that this rank sends no more once they have taken what is under way. */
    void stop();

    /**
     * Step two: waits until what was committed no longer needs this rank.
     *
     * @return true if nothing is left
     */
    boolean drain(long nanos);

    /** Step three: frees everything; implies {@link #stop}. */
    @Override
    void close();
}
