package org.galerna.device.ucx;

/** Something that UCX has under way. Guarded by the engine's lock. */
abstract class Operation {
    /** UCX's request; 0 if there is none. */
    long request;

    /** Place in the engine's list. */
    int place;

    /** The peer whose end ends it, too; negative if there is none. */
    abstract int peer();

    /** Whether its request is in memory of its own, and is not UCX's to be given back. */
    boolean ownsRequest() {
        return false;
    }

    /** UCX is done with it; its request has been given back. */
    abstract void completed(int status);

    /** Whether it is a receive, which can be taken back. */
    boolean isReceive() {
        return false;
    }
}
