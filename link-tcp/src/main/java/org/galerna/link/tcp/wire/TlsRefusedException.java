package org.galerna.link.tcp.wire;

/** The two sides do not agree upon TLS: one does not trust the other's certificate, most likely. Trying again is no use. */
public final class TlsRefusedException extends ProtocolException {
    private static final long serialVersionUID = 1L;

    TlsRefusedException(String message) {
        super(message);
    }
}
