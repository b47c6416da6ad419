package org.galerna.link.tcp.handshake;

import org.galerna.link.tcp.wire.ProtocolException;

/** The other side of a handshake does not know the job's key. */
public final class WrongProofException extends ProtocolException {
    private static final long serialVersionUID = 1L;

    WrongProofException() {
        super("it does not know the job's key");
    }
}
