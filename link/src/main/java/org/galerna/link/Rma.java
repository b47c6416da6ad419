package org.galerna.link;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Remote memory access: large things travel directly between registered memory of two ranks. The owner registers memory and
 * sends the descriptor of the region in a frame; the peer that gets the frame reads or writes the region by it. A network
 * that cannot do so by itself has the owner copy, while it polls.
 *
 * <p>Regions and local memory may lie on the Java heap or outside, at any address and of any length. Methods may be called by
 * any thread, none blocks, and getting does not allocate where one transfer follows another.
 *
 * <p>Atomic operations on regions would be further methods, with the arguments of {@link #get} and an operand. No face asks for
 * them yet.
 */
public interface Rma {
    /**
     * Makes memory reachable by peers until the region is closed. The memory must stay alive and, while a peer may
     * read it, unchanged.
     *
     * @param former a closed region of this link, which the link may use again in place of a new object. The caller must be the
     *     only one who has it, and must not use it any more. Any other region or null does no harm.
     */
    Region register(MemorySegment memory, @Nullable Region former);

    /** As {@link #register(MemorySegment, Region)}, for a new region. */
    default Region register(MemorySegment memory) {
        return register(memory, null);
    }

    /**
     * Reads from a peer's region into local memory. The completion is called once, by this call or by a later {@link
     * Link#poll}; until then the local memory belongs to the link. A part that the region does not have is refused. A
     * descriptor of a region that is closed, or one that the peer has not given, is refused where the link can know that; on
     * other networks the adapter ends the connection to the peer.
     *
     * @param region descriptor of the peer's region; the caller's again when this returns
     * @param offset of the first byte, in the region
     */
    void get(int peer, Descriptor region, long offset, MemorySegment local, TransferCompletion completion);

    /**
     * Writes local memory into a peer's region, as {@link #get} in all other respects. Its completion says that the local
     * memory is the caller's again; see {@link #flush}.
     */
    void put(int peer, Descriptor region, long offset, MemorySegment local, TransferCompletion completion);

    /**
     * Tells when all that was put to a peer before this call is in the peer's memory, where the peer and everybody else can
     * see it. The completion is called once, by this call or by a later {@link Link#poll}, with a failure if that cannot be known any
     * more. A put that has failed has told so by itself.
     */
    void flush(int peer, TransferCompletion completion);

    /**
     * Says that a peer is going to get a region from its start, once, since it is about to be told of it: a link that moves
     * the bytes itself tells when that is over. How many of them the peer gets is left to it. To be called before the frame with
     * the descriptor is committed; costs next to nothing, sends nothing by itself.
     *
     * @param region of this link, open
     * @param token at least 0, for {@link FrameHandler#onRegionRead}
     * @return true if {@link FrameHandler#onRegionRead} tells when the peer has got it, unless the peer is lost before; false
     *     if only the peer knows
     */
    default boolean anticipate(int peer, Region region, long token) {
        return false; // the network reads the region by itself
    }

    /**
     * Lends this thread to transfers that peers have under way on this rank's regions; to be called while waiting.
     *
     * @return true if it has done any work
     */
    default boolean assist() {
        return false; // peers need no help but polling
    }

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
}
