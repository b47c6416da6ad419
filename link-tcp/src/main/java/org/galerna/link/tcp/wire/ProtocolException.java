package org.galerna.link.tcp.wire;

import java.io.IOException;

/** A peer has sent what no peer of this version sends. */
public class ProtocolException extends IOException {
    private static final long serialVersionUID = 1L;

    public ProtocolException(String message) {
        super(message);
    }
}
