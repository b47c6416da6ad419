package org.galerna.link;

import java.lang.foreign.MemorySegment;
import org.galerna.memory.Buffers;
import org.jspecify.annotations.Nullable;

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

    /** {@link #claim}: longer than {@link LinkTraits#maximumFrame}. */
    long TOO_LONG = -2;

    /** {@link #claim}: the peer has left or is lost; it will not be back. */
    long CLOSED = -3;

    /**
     * {@link #claim}: the link has replaced this channel by one that suits what the two ranks say to each other. {@link
     * Link#connect} gives the new one, whose frames come after those of this one.
     */
    long MOVED = -4;

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

    /** This channel as one that publishes frames early; null if it cannot. The same whenever it is asked. */
    default @Nullable EarlyChannel early() {
        return null;
    }

    /** Gives a claim up. */
    void abort(long claim);

    /** Sets committed frames moving, and wakes the peer if it sleeps. */
    void flush();

    /**
     * Gives back the memory that this channel has for itself alone, after {@link FrameHandler#onReleaseAsked}. What was
     * committed still arrives, and further claims are answered by {@link #MOVED}. There must be no open claim. Does
     * nothing where a channel has no such memory, or needs it.
     */
    default void release() {
        // most channels have none that another one would need
    }

    /**
     * Ends this channel, for connections that are dismissed while both sides live on: what was committed still arrives,
     * further claims are answered by {@link #CLOSED}, and the next {@link Link#connect} opens another channel, whose
     * frames may overtake the last ones of this. Idempotent.
     */
    @Override
    void close();
}
