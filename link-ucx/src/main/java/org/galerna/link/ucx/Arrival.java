package org.galerna.link.ucx;

/** A message that has come: in memory of UCX that is kept, or in a copy. Guarded by the worker's lock, then the polling thread's. */
final class Arrival {
    long address;
    int length;
    int word;

    /** Memory of its own for a message that UCX does not leave; 0 as long as none was needed. */
    long copy;

    /** Whether it lies in UCX's memory, to be given back. */
    boolean isKept() {
        return address != copy;
    }
}
