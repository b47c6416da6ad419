package org.galerna.link.threads;

import org.galerna.link.support.RingFrames;

/** A ring of one peer that leads to a rank. */
final class Inbound {
    private final ThreadsChannel channel;
    private final RingFrames frames;

    // of the polling thread: see ReceiveQueue
    private int reviewedAt;
    private int silentReviews;

    Inbound(ThreadsChannel channel, RingFrames frames) {
        this.channel = channel;
        this.frames = frames;
    }

    ThreadsChannel channel() {
        return channel;
    }

    RingFrames frames() {
        return frames;
    }

    /** In how many reviews in a row, this one included, no frame has come since the one before. */
    int review() {
        int position = frames.position();
        silentReviews = position == reviewedAt ? silentReviews + 1 : 0;
        reviewedAt = position;
        return silentReviews;
    }
}
