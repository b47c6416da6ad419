package org.galerna.device.matching.request;

/** What waits in a {@code Peer}'s backlog for room in the channel. */
public sealed interface Outgoing permits SendRequest, Outgoing.Control {
    /**
     * A frame without a message.
     *
     * @param kind one of {@code FrameLayout} that has no envelope
     * @param value what the frame carries
     */
    record Control(int kind, long value) implements Outgoing {}
}
