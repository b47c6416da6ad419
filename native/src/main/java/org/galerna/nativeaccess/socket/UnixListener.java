package org.galerna.nativeaccess.socket;

import java.io.IOException;
import java.nio.file.Path;
import org.galerna.nativeaccess.call.KernelCall;

/**
 * A UNIX-domain socket that others connect to; see {@link UnixSocket}. One thread accepts, until any thread {@linkplain #stop stops}
 * this. Linux only.
 */
public final class UnixListener {
    private static final int EINTR = 4;
    private static final int ECONNABORTED = 103;
    private static final int SOCK_CLOEXEC = 0x80000;
    private static final int SHUT_RDWR = 2;

    /** More than a host starts processes at once; those above wait in {@code connect}. */
    private static final int BACKLOG = 4096;

    private static final KernelCall BIND = KernelCall.of("bind", 49);
    private static final KernelCall LISTEN = KernelCall.of("listen", 50);
    private static final KernelCall ACCEPT = KernelCall.of("accept4", 288);
    private static final KernelCall SHUTDOWN = KernelCall.of("shutdown", 48);

    private final int descriptor;
    private boolean stopped; // guarded by this
    private boolean closed; // guarded by this

    private UnixListener(int descriptor) {
        this.descriptor = descriptor;
    }

    /**
     * Listens at a path, where a file appears, which is the caller's to remove.
     *
     * @throws IOException if that cannot be
     */
    public static UnixListener open(Path socket) throws IOException {
        int descriptor = UnixSocket.make(socket, BIND, "cannot listen at ");
        long result = LISTEN.call(descriptor, BACKLOG);
        if (result < 0) {
            UnixSocket.close(descriptor);
            throw UnixSocket.failure("cannot listen at " + socket, result);
        }
        return new UnixListener(descriptor);
    }

    /**
     * Waits for the next connection, which an interrupt does not end.
     *
     * @throws IOException if there is none, since this is stopped; it is closed then
     */
    public UnixSocket accept() throws IOException {
        while (true) {
            long connection = ACCEPT.call(descriptor, 0, 0, SOCK_CLOEXEC);
            if (connection >= 0) {
                return new UnixSocket((int) connection);
            }
            if (connection != -EINTR && connection != -ECONNABORTED) {
                if (close()) {
                    throw new IOException(
                            "cannot accept: the listener was stopped"); // often, so not in the C library's words
                }
                throw UnixSocket.failure("cannot accept", connection);
            }
        }
    }

    /** Refuses connections from now on; the thread that accepts gets an exception. */
    public synchronized void stop() {
        if (!closed) {
            stopped = true;
            long ignored = SHUTDOWN.call(descriptor, SHUT_RDWR);
        }
    }

    /** Closes it; returns whether it was stopped. */
    private synchronized boolean close() {
        closed = true;
        UnixSocket.close(descriptor);
        return stopped;
    }
}
