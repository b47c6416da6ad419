package org.galerna.messaging.flow;

/** What has become of a send. Numbers, for a send is too short for anything that has to be looked at more closely. */
public final class SendResult {
    /** It is on its way, or lies where it will be sent from. */
    public static final int SENT = 0;

    /** The window is used up, or the ring is full: try again later. */
    public static final int BLOCKED = 1;

    /** The connection is gone, or going: try again over the next one. */
    public static final int CLOSED = 2;

    /** It cannot go together with other messages: send it alone. */
    public static final int ALONE = 3;

    /** It is too long to be sent without waiting. */
    public static final int TOO_LONG = 4;

    private SendResult() {}
}
