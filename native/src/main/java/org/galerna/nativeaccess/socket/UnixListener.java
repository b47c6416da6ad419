package org.galerna.nativeaccess.socket;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.galerna.nativeaccess.call.CFunction;

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

    private static final CFunction ACCEPT = CFunction.of("accept4");

    private final int descriptor;
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
        int descriptor = UnixSocket.make(socket, "bind", "cannot listen at ");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = CFunction.state(arena);
            if ((int) CFunction.of("listen").call(state, descriptor, BACKLOG) < 0) {
                IOException refused = UnixSocket.failure("cannot listen at " + socket, state);
                UnixSocket.close(descriptor);
                throw refused;
            }
        }
        return new UnixListener(descriptor);
    }

    /**
     * Waits for the next connection, which an interrupt does not end.
     *
     * @throws IOException if there is none, since this is stopped; it is closed then
     */
    public UnixSocket accept() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = CFunction.state(arena);
            while (true) {
                int connection = (int) ACCEPT.call(state, descriptor, 0, 0, SOCK_CLOEXEC);
                if (connection >= 0) {
                    return new UnixSocket(connection);
                }
                int error = CFunction.errno(state);
                if (error != EINTR && error != ECONNABORTED) {
                    close();
                    throw UnixSocket.failure("cannot accept", state);
                }
            }
        }
    }

    /** Refuses connections from now on; the thread that accepts gets an exception. */
    public synchronized void stop() {
        if (!closed) {
            CFunction.of("shutdown").call(CFunction.IGNORED, descriptor, SHUT_RDWR);
        }
    }

    private synchronized void close() {
        closed = true;
        UnixSocket.close(descriptor);
    }
}
