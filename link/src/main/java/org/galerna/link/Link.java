package org.galerna.link;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.Supplier;
import org.galerna.memory.StridedArray;
import org.jspecify.annotations.Nullable;

/**
 * The attachment of one rank to one network. Small things travel as frames through {@link Channel}s, large ones
 * directly between registered {@link Region}s where the network can do that.
 *
 * <p><b>Progress</b> is made by callers: a link has no thread of its own on the data path.
 *
 * <p><b>Threads.</b> Methods may be called by any thread. {@link #poll} must not be called by two threads at once, and
 * one thread's use must happen before the next one's; everything else is safe for use by many threads at once.
 *
 * <p><b>Blocking.</b> Only {@link #await} and {@link #drain} block.
 *
 * <p><b>Life.</b> Opened by a {@link LinkProvider}, closed in three steps, each idempotent: {@link #stop},
 * {@link #drain}, {@link #close}.
 */
public interface Link extends AutoCloseable {
    /** Name of the network, as in {@link LinkProvider#name}. */
    String name();

    /** What this link can do; constant. */
    LinkCapabilities capabilities();

    /**
     * Longest message, in bytes, that is best sent in frames, whether the receiver waits for it or not; a longer one is
     * better announced and fetched by {@link #get}. The measured value for this kind of network.
     */
    default int eagerLimit() {
        return 8 * 1024;
    }

    /**
     * Whether frames travel only by {@link Channel#flush}, which calls the system or an adapter for all that are there, so
     * that it pays to gather some before. Otherwise the peer finds them once they are committed, and it only wakes the peer.
     */
    default boolean writesOnFlush() {
        return false;
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
     * The link that reaches a peer: this one, unless it is composed of several. What concerns that peer alone (channel,
     * regions, transfers) goes through the answer; polling, waiting and closing through the whole.
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

    /**
     * Memory outside the heap that peers can read without the link's copying it first: large messages sent out of it are
     * copied once less. Given back when the arena is closed or collected; until then it lies in the memory of the whole
     * host, not of this process alone. Empty if this link has nothing of the kind, or no room.
     *
     * @param bytes at least 1
     * @param arena shared or automatic: the link's own threads touch the memory, too
     */
    default Optional<MemorySegment> allocate(long bytes, Arena arena) {
        return Optional.empty();
    }

    /**
     * Makes memory reachable by peers until the region is closed. The memory must stay alive and, while a peer may
     * read it, unchanged.
     *
     * @param memory native, or on the heap if {@link LinkCapabilities#heapRegions}
     */
    Region register(MemorySegment memory);

    /**
     * As {@link #register(MemorySegment)}, where a link can do so without allocating: with a region that this link has
     * given and that is closed. Whoever passes it must not use it any more, and must be the only one who could.
     *
     * @param former such a region, or any other or null, which does not matter
     */
    default Region register(MemorySegment memory, @Nullable Region former) {
        return register(memory);
    }

    /**
     * Says that a peer is going to get a region from its start, once, since it is about to be told of it: a link that moves
     * the bytes itself may send the first ones before they are asked for. How many of them the peer gets is left to it. To
     * be called before the frame with the key is committed; costs next to nothing, sends nothing by itself.
     *
     * @param key of a region of this link that is open
     * @param token at least 0, for {@link FrameHandler#onRegionRead}
     * @return true if {@link FrameHandler#onRegionRead} tells when the peer has got it, unless the peer is lost before; false
     *     if only the peer knows
     */
    default boolean anticipate(int peer, long key, long token) {
        return false; // the network reads the region by itself
    }

    /**
     * Reads from a peer's region into local memory. Every link can do it: without {@link LinkCapabilities#oneSided} by
     * frames of its own, which the peer serves while it polls. The completion is called once, by this call or by a later
     * {@link #poll}; until then the local memory belongs to the link.
     *
     * @param key the peer's {@link Region#key}, as it came in one of the peer's frames
     */
    void get(int peer, long key, long remoteOffset, MemorySegment local, TransferCompletion completion);

    /**
     * As {@link #register(MemorySegment)}, for elements with gaps: for links with {@link LinkCapabilities#sharedHeap}
     * only.
     */
    default Region register(StridedArray elements) {
        throw new IllegalStateException("the link " + name() + " has no heap that its ranks share");
    }

    /**
     * As {@link #get(int, long, long, MemorySegment, TransferCompletion)}, into the first {@code length} bytes of elements
     * with gaps: for links with {@link LinkCapabilities#sharedHeap} only.
     */
    default void get(int peer, long key, StridedArray local, long length, TransferCompletion completion) {
        throw new IllegalStateException("the link " + name() + " has no heap that its ranks share");
    }

    /** Writes local memory into a peer's region; as {@link #get(int, long, long, MemorySegment, TransferCompletion) get} in all other respects. */
    void put(int peer, long key, long remoteOffset, MemorySegment local, TransferCompletion completion);

    /**
     * Lends this thread to transfers that peers have under way on this rank's regions; to be called while waiting.
     *
     * @return true if it has done any work
     */
    boolean assist();

    /**
     * Announces that the calling thread wants to {@link #await}; from here on nothing inbound is missed. The caller
     * then polls once more, and either awaits or {@linkplain #cancelAwait cancels}.
     */
    void prepareAwait();

    /**
     * Blocks until something inbound may have happened, somebody calls {@link #wakeUp}, or the time is over; may
     * return early for no reason. Never blocks a carrier of virtual threads.
     *
     * @param nanos longest time to wait, in nanoseconds
     */
    void await(long nanos);

    /** Takes {@link #prepareAwait} back. */
    void cancelAwait();

    /** Ends the {@link #await} of every thread of this rank that has announced one. */
    void wakeUp();

    /**
     * Ends the {@link #await} of a peer, after a change on the heap that no frame announces: for links with
     * {@link LinkCapabilities#sharedHeap} only. Does not block; no effect on a peer that is gone.
     */
    default void wakeUp(int peer) {
        throw new IllegalStateException("the link " + name() + " has no heap that its ranks share");
    }

    /**
     * An object that several ranks share: for links with {@link LinkCapabilities#sharedHeap} only. The first rank to
     * ask has it made, the others get the same one. The n-th call of a rank with a key meets the n-th calls of the
     * others. The link lets go of the object when all have got it, so that it lives as long as one of them holds it.
     *
     * @param key the same on all of them; compared by {@code equals}
     * @param parties number of ranks that ask
     * @param maker makes the object; must not use the link
     */
    default <T> T meet(Class<T> type, Object key, int parties, Supplier<T> maker) {
        throw new IllegalStateException("the link " + name() + " has no heap that its ranks share");
    }

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
