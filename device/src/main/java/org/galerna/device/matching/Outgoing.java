package org.galerna.device.matching;

/** What waits in a {@link Peer}'s backlog for room in the channel. */
sealed interface Outgoing permits SendRequest, Outgoing.Control {
    /**
     * A frame without a message.
     *
     * @param kind one of {@link FrameLayout} that has no envelope
     * @param value what the frame carries
     */
    record Control(int kind, long value) implements Outgoing {}
}
