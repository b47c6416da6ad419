package org.galerna.link;

import java.lang.foreign.MemorySegment;
import org.galerna.memory.Buffers;

/**
 * The way to one peer for frames: claim space, write the frame in place, commit it, and flush once after a group of
 * commits. Frames arrive complete, once, and in the order of their claims.
 *
 * <p>One thread at a time, with a happens-before edge between one thread's use and the next one's, unless the link was
 * opened with {@link LinkOptions#concurrentClaims}. No method blocks; none allocates in the steady state.
 */
public interface Channel extends AutoCloseable {
    /** {@link #claim}: no room at the moment; poll, then try again. */
    long BACK_PRESSURE = -1;

    /** {@link #claim}: longer than {@link LinkCapabilities#maximumFrame}. */
    long TOO_LONG = -2;

    /** {@link #claim}: the peer has left or is lost; it will not be back. */
    long CLOSED = -3;

    /** The peer's rank. */
    int peer();

    /**
     * Takes space for a frame.
     *
     * @param length bytes, not negative
     * @return the claim, not negative; or one of the refusals
     */
    long claim(int length);

    /** The memory that claims lie in. */
    MemorySegment memory();

    /** Where in {@link #memory} the frame of a claim begins; aligned to 8 bytes. */
    static long offset(long claim) {
        return claim & 0xfffffff8L;
    }

    /**
     * Completes a frame.
     *
     * @param length bytes written, at most as many as claimed
     */
    void commit(long claim, int length);

    /**
     * Completes a frame whose last bytes lie in an array. The link may send it at once and from there, without copying
     * them; in any case the array is the caller's again when this returns.
     *
     * @param head bytes written at the claim, which the others follow
     * @param array of a primitive type
     * @param offset where in the array they begin, in bytes
     * @param length bytes of the array; with the head at most as many as claimed
     */
    default void commit(long claim, int head, Object array, long offset, int length) {
        Buffers.copy(array, offset, memory(), offset(claim) + head, length);
        commit(claim, head + length);
    }

    /** Whether frames of more than {@link LinkCapabilities#inlineFrame} bytes begin at a cache line, a multiple of 64 bytes. */
    default boolean beginsAtLines() {
        return false;
    }

    /** Whether {@link #show} can be called. */
    default boolean showsOpenFrames() {
        return false;
    }

    /**
     * Shows the first bytes of a frame to a peer that has nothing else to do, which gets them by {@link
     * FrameHandler#onOpenFrame}; the whole frame comes when it is committed, as any other. So short messages can share a
     * frame and need not wait for each other.
     *
     * @param claim the last one made, of more than {@link LinkCapabilities#inlineFrame} bytes, not yet committed
     * @param length bytes written so far: no fewer than shown before, and at most as many as claimed
     */
    default void show(long claim, int length) {
        throw new IllegalStateException("frames to rank " + peer() + " cannot be shown before they are complete");
    }

    /** Bytes in front of the contents of a frame that has a head. */
    int CONTENTS = 64;

    /** Whether {@link #claimWithHead} and {@link #commitContents} can be called. */
    default boolean showsHeads() {
        return false;
    }

    /**
     * Takes space for a frame and shows its head at once, whose contents are still to be written, {@link #CONTENTS} bytes
     * behind {@link #offset}. The peer gets the head by {@link FrameHandler#onHead}, and finds out whom the contents are for
     * while they are copied, which then come by {@link FrameHandler#onContents}. Must be followed by {@link #commitContents}:
     * such a claim can be neither committed nor aborted, so the contents should come from where they can be read without fail.
     *
     * @param length bytes of contents, not negative
     * @param head of whoever uses the link
     * @return as {@link #claim}; if negative, nothing is shown
     */
    default long claimWithHead(int length, long head) {
        throw new IllegalStateException("frames to rank " + peer() + " come as a whole");
    }

    /** Completes a frame whose head was shown. */
    default void commitContents(long claim) {
        throw new IllegalStateException("frames to rank " + peer() + " come as a whole");
    }

    /**
     * Does what makes the next frame faster, should it be as long as the last one. For callers that wait anyway.
     */
    default void prepare() {}

    /** Gives a claim up. */
    void abort(long claim);

    /** Sets committed frames moving, and wakes the peer if it sleeps. */
    void flush();

    /**
     * Ends this channel, for connections that are dismissed while both sides live on: what was committed still arrives,
     * further claims are answered by {@link #CLOSED}, and the next {@link Link#connect} opens another channel, whose
     * frames may overtake the last ones of this. Idempotent.
     */
    @Override
    void close();
}
