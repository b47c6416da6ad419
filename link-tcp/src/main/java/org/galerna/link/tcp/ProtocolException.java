package org.galerna.link.tcp;

import java.io.IOException;

/** A peer has sent what no peer of this version sends. */
class ProtocolException extends IOException {
    private static final long serialVersionUID = 1L;

    ProtocolException(String message) {
        super(message);
    }
}
