package org.galerna.mpi.request;

/** When a send is complete. */
public enum SendMode {
    /** When the buffer may be changed again. */
    STANDARD("Send", "Isend"),
    /** When the receiver has begun to receive. */
    SYNCHRONOUS("Ssend", "Issend"),
    /** At once: the message has been copied into the attached buffer. */
    BUFFERED("Bsend", "Ibsend"),
    /** As a standard one, to a rank that is receiving already. */
    READY("Rsend", "Irsend");

    private final String blocking;
    private final String nonblocking;

    SendMode(String blocking, String nonblocking) {
        this.blocking = blocking;
        this.nonblocking = nonblocking;
    }

    /** Name of the call that returns when the send is complete. */
    String blocking() {
        return blocking;
    }

    /** Name of the call that returns at once. */
    String nonblocking() {
        return nonblocking;
    }
}
