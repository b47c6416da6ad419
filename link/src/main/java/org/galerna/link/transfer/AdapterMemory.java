package org.galerna.link.transfer;

import org.galerna.nativeaccess.memory.RegisteredMemory;

/** Memory that the network reads and writes until this is closed. */
public interface AdapterMemory extends RegisteredMemory {
    /** By which operations of this rank name it. */
    long localKey();

    /** By which operations of peers name it. */
    long remoteKey();

    /** How operations of peers name a place in it. */
    default long remoteAddress(long place) {
        return place;
    }
}
