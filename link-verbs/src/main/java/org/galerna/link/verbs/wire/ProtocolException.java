package org.galerna.link.verbs.wire;

/** A peer has sent what none of this version does. */
public final class ProtocolException extends Exception {
    private static final long serialVersionUID = 1L;

    public ProtocolException(String what) {
        super(what);
    }
}
