package org.galerna.sockets.channel;

/** A registration of a channel with a selector, as the channel sees it. Any thread may call. */
public interface ChannelKey {
    /** The channel is about to be closed: the system is asked about it no more. */
    void leave();

    /** What the selector has to wait for is something else now. */
    void changed();

    /** Has the selector look at the channel again. */
    void ring();
}
