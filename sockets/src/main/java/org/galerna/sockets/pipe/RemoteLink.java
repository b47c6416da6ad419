package org.galerna.sockets.pipe;

/** What leads to a process on another host, and carries the bytes of pipes. Any thread may call. */
public interface RemoteLink {
    /** Name of the network. */
    String network();

    /** Takes what has come, for all pipes of this link, if nobody else is at it; true if that was something. */
    boolean progress();

    /** The calling thread sleeps soon, and looks once more before. */
    void want();
}
