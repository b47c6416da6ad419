package org.galerna.device;

import org.jspecify.annotations.Nullable;

/**
 * A send or receive under way. Any thread of the rank may call any method; a request is waited for by at most one
 * thread at a time.
 *
 * <p>Requests are pooled: whoever started an operation calls {@link #release} exactly once after completion and does
 * not touch the request afterwards. A request that is never released is merely garbage.
 */
public interface Request {
    /** The request of every send that was complete when its call returned; it can be told by identity. */
    Request COMPLETED_SEND = CompletedSend.INSTANCE;

    /** True if and only if the operation has completed, failed or been cancelled. Makes no progress. */
    boolean isDone();

    /** Makes progress once, without blocking, and says whether the operation {@link #isDone is done}. */
    boolean test();

    /**
     * Blocks until the operation is done, or nobody is left who could bring it about.
     *
     * @throws DeviceException if it failed; the request is done all the same and can be released
     */
    void await();

    /** Throws what {@link #await} would throw; no effect if the operation succeeded or is not done yet. */
    void throwFailure();

    /** True if and only if the operation is done, has not failed and was not cancelled. Makes no progress. */
    boolean hasSucceeded();

    /** Why the operation failed; null if it has not. */
    @Nullable
    DeviceException failure();

    /**
     * Tries to cancel: a receive that no message has matched yet always can be, a send never by its own rank alone; see
     * {@link #askToCancel}. A cancelled request becomes done.
     *
     * @return true if and only if the request is now cancelled
     */
    boolean cancel();

    /**
     * Cancels a receive as {@link #cancel} does. Asks the receiver of a send to drop its message, if it has neither matched nor
     * probed it. From then on the request ends, cancelled or not, whatever calls the other rank makes or does not make: its
     * process answers. No effect on what is done.
     */
    void askToCancel();

    /** Has the peer's process move this, while this rank waits for it or tests it, without calls of the peer. */
    void hasten();

    /** True if and only if {@link #cancel} or {@link #askToCancel} has succeeded. */
    boolean isCancelled();

    /**
     * Whether the operation cannot succeed, because those who would have to do something for it have left the job in good
     * order: it has failed for that reason, or is a receive that will. Such a receive is not done: it stays, and can be
     * cancelled, until it is {@linkplain #await awaited} or {@link #failIfInVain} ends it.
     */
    boolean isInVain();

    /** Ends a receive with its failure if it {@link #isInVain}. */
    void failIfInVain();

    /** Rank that sent the message, once a receive is done; of no meaning for a send. */
    int source();

    /** Tag of the message, once a receive is done; of no meaning for a send. */
    int tag();

    /** Bytes of the message that are in the buffer, once a receive is done; of no meaning for a send. */
    long length();

    /** Gives a done request back to its device. */
    void release();
}
