package org.galerna.sockets.pipe;

/** What joins the two processes at the ends of a pipe, besides the pipe's memory. Any thread may call. */
public interface PipeTransport {
    /** Rings a bell of the process that waits at the other end; false if it is not known here. */
    boolean ring(int bell);

    /**
     * Has the process at the other end of a pipe wake what waits there, where the memory alone can wake no thread.
     *
     * @param direction {@link Pipe#RECEIVER} or {@link Pipe#SENDER}
     */
    void unpark(int id, int direction);

    /** Lets the other end ring a bell of this process; false if that has to be tried again. */
    boolean announce(WakeupFd bell);

    /** Takes an offer back that nobody has accepted. */
    void withdraw(int id);

    /** A pipe is not used any more; its memory may be given back. */
    void forget(Pipe pipe, PipeMemory memory);
}
