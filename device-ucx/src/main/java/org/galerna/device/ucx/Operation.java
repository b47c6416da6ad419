package org.galerna.device.ucx;

/** Something that UCX has under way. Guarded by the engine's lock. */
abstract class Operation {
    /** UCX's request; 0 if there is none. */
    long request;

    /** Place in the engine's list. */
    int place;

    /** The peer whose end ends it, too; negative if there is none. */
    abstract int peer();

    /** UCX is done with it; its request has been given back. */
    abstract void completed(int status);

    /** Whether it is a receive, of which the tag and the size are wanted. */
    boolean isReceive() {
        return false;
    }
}
