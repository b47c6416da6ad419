package org.galerna.link.ucx;

/** A peer has sent what none of this version does. */
final class ProtocolException extends Exception {
    private static final long serialVersionUID = 1L;

    ProtocolException(String what) {
        super(what);
    }
}
