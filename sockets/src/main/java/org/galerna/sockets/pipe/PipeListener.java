package org.galerna.sockets.pipe;

/** Hears of what happens to a pipe. */
@FunctionalInterface
public interface PipeListener {
    /** Something has happened that is no reading or writing of this end. Any thread. */
    void changed();
}
