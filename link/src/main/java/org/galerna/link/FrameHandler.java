package org.galerna.link;

import java.lang.foreign.MemorySegment;

/** Takes what a {@link Link#poll} finds. Called by the polling thread. */
public interface FrameHandler {
    /** The reason that is told of a peer that has left in good order. */
    String LEFT = "it has left the job";

    /** Reason for the end of a peer that has ended by itself although it had not finished. */
    String UNFINISHED = "it has ended without MPI.Finalize";

    /**
     * A frame.
     *
     * @param peer rank that sent it
     * @param memory where it lies, this handler's until it returns
     * @param offset its first byte, aligned to 8 bytes
     * @param length its bytes
     */
    void onFrame(int peer, MemorySegment memory, long offset, int length);

    /**
     * The beginning of a frame that its sender still {@linkplain EarlyChannel#show writes}. It may come several times, each time
     * with more bytes, before {@link #onFrame} gets the whole; who has no use for it need not do anything.
     *
     * @param length bytes that are there
     */
    default void onOpenFrame(int peer, MemorySegment memory, long offset, int length) {
        // the frame comes again when it is complete
    }

    /**
     * The {@linkplain EarlyChannel#claimWithHead head} of a frame whose contents are on their way. Called once for each such frame,
     * before its {@link #onContents}; if the peer dies in between these never come, and other frames of the peer may.
     *
     * @param length bytes of contents
     */
    default void onHead(int peer, long head, int length) {
        // to be overridden by those whose peers show heads
    }

    /**
     * The contents of the frame whose head was told last.
     *
     * @param memory where they lie, this handler's until it returns
     * @param offset their first byte, aligned to 8 bytes
     * @param length their bytes
     */
    default void onContents(int peer, MemorySegment memory, long offset, int length) {
        throw new IllegalStateException(
                "rank " + peer + " has sent a frame with a head, which " + this + " has no use for");
    }

    /**
     * A peer has got what it wanted of a region that was {@linkplain Rma#anticipate anticipated}, or cannot get it: the
     * region's memory is no longer needed.
     *
     * @param token what the region was anticipated with
     */
    default void onRegionRead(int peer, long token) {
        // only those who anticipate are told
    }

    /**
     * A peer has no room for busier ranks: whoever sends to it should {@linkplain Channel#release release} its channel. Once
     * for each time that the peer asks; nothing is wrong if nobody does.
     */
    default void onReleaseAsked(int peer) {
        // those that keep few channels need not
    }

    /** Nothing more will come from this peer, and nothing reaches it; called once, after its last frame. */
    void onPeerLost(int peer, String reason);

    /**
     * As {@link #onPeerLost}, and called in place of it, for a peer that has left in good order. To be overridden by those
     * for whom that makes a difference.
     */
    default void onPeerLeft(int peer) {
        onPeerLost(peer, LEFT);
    }
}
