package org.galerna.link.support;

/** What a peer has sent does not keep to the protocol. */
public final class ProtocolException extends Exception {
    private static final long serialVersionUID = 1L;

    public ProtocolException(String message) {
        super(message);
    }
}
