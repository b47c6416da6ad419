package org.galerna.messaging.handshake;

import java.net.ProtocolException;

/** What the node that was called decides. */
public enum Verdict {
    /** The two open a link now. */
    ACCEPTED(0),

    /** Both are calling each other, and the other call is used; or a connection is just being dismissed. */
    LATER(1),

    /** The node that was called is closing. */
    CLOSING(2),

    /** A node with the caller's number has started after it: the caller is to end. */
    SUPERSEDED(3),

    /** The caller wants another node, or is one that cannot be. */
    STRANGER(4);

    private final byte code;

    Verdict(int code) {
        this.code = (byte) code;
    }

    byte code() {
        return code;
    }

    static Verdict of(byte code) throws ProtocolException {
        for (Verdict each : values()) {
            if (each.code == code) {
                return each;
            }
        }
        throw new ProtocolException("its verdict is " + code);
    }
}
