package org.galerna.link.threads;

import org.galerna.link.support.RingFrames;

/** A ring of one peer that leads to a rank. */
final class Inbound {
    private final ThreadsChannel channel;
    private final RingFrames frames;

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
}
