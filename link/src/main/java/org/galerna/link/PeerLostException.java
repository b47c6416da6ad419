package org.galerna.link;

/** Something cannot end because another rank has ended, or is lost. The message names it. */
public final class PeerLostException extends CommunicationException {
    private static final long serialVersionUID = 1L;

    /** A failure described by {@code message}. */
    public PeerLostException(String message) {
        super(message);
    }

    @Override
    public boolean isByLostPeer() {
        return true;
    }
}
