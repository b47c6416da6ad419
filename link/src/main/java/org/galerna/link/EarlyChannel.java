package org.galerna.link;

/**
 * A channel in memory that the peer looks at, which can publish the beginning of a frame before the frame is complete. It is
 * offered by channels whose claims one thread makes at a time. What each method brings is measured: see the page of decisions.
 */
public interface EarlyChannel extends Channel {
    /** Bytes in front of the contents of a frame that has a head. */
    int CONTENTS = 64;

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
    long claimWithHead(int length, long head);

    /** Completes a frame whose head was shown. */
    void commitContents(long claim);

    /**
     * Shows the first bytes of a frame to a peer that has nothing else to do, which gets them by {@link
     * FrameHandler#onOpenFrame}; the whole frame comes when it is committed, as any other. So short messages can share a
     * frame and need not wait for each other.
     *
     * @param claim the last one made, of more than {@link LinkTraits#inlineFrame} bytes, not yet committed
     * @param length bytes written so far: no fewer than shown before, and at most as many as claimed
     */
    void show(long claim, int length);

    /** Does what makes the next frame faster, should it be as long as the last one. For callers that wait anyway. */
    void prepare();
}
