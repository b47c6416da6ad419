package org.galerna.link.transfer;

/** The way to a peer, as far as transfers need it. The polling thread's. */
public interface TransferPeer {
    /** Its rank. */
    int peer();

    /** Whether something can be sent to it: it is there, and not gone. */
    boolean isUp();

    /** Says something about a transfer; false if there is no room at the moment. */
    boolean sendTransfer(TransferFrame frame);

    /**
     * Starts a read or write. Once it is over, {@link TransferNetwork#next} hands it out, whether it has succeeded or not.
     *
     * @return false if there is no room at the moment
     */
    boolean start(RemoteOperation operation);
}
