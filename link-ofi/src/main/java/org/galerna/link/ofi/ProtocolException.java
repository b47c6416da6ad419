package org.galerna.link.ofi;

/** What a peer has sent does not keep to the protocol. */
final class ProtocolException extends Exception {
    private static final long serialVersionUID = 1L;

    ProtocolException(String message) {
        super(message);
    }
}
