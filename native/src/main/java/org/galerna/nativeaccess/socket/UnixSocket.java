package org.galerna.nativeaccess.socket;

import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.galerna.nativeaccess.call.CFunction;
import org.galerna.nativeaccess.call.Platform;

/**
 * A connection to a UNIX-domain socket. It costs much less to begin with than the platform's first channel, which prepares random
 * numbers and a selector, and an interrupt does not close it. One thread receives, and closes it in the end; another one may send
 * meanwhile. Linux only.
 */
public final class UnixSocket implements AutoCloseable {
    private static final int EINTR = 4;
    private static final int EAGAIN = 11;

    private static final int AF_UNIX = 1;
    private static final int SOCK_STREAM_CLOEXEC = 0x80001;
    private static final int MSG_DONTWAIT = 0x40;
    private static final int MSG_NOSIGNAL = 0x4000;

    /** {@code struct sockaddr_un}: family (2), and the path with a zero at its end. */
    private static final int ADDRESS_BYTES = 110;

    private static final int PATH = 2;

    // arrays are copied by byte buffers: for a copy from a segment the virtual machine writes a class in each process
    private static final int LARGEST_TRANSFER = 1 << 16;

    private static final CFunction SEND = CFunction.of("send");
    private static final CFunction RECEIVE = CFunction.of("recv");

    private final int descriptor;
    private boolean closed; // guarded by this

    UnixSocket(int descriptor) {
        this.descriptor = descriptor;
    }

    /** Whether this system has such connections. */
    public static boolean isUsable() {
        return Platform.isUsable();
    }

    /**
     * Connects to a socket.
     *
     * @throws IOException if nobody listens there
     */
    public static UnixSocket connect(Path socket) throws IOException {
        return new UnixSocket(make(socket, "connect", "cannot connect to "));
    }

    /** A new socket for which a function has taken the address of a socket. */
    static int make(Path socket, String function, String complaint) throws IOException {
        byte[] path = socket.toString().getBytes(StandardCharsets.UTF_8);
        if (path.length >= ADDRESS_BYTES - PATH) {
            throw new IOException("the path of the socket " + socket + " is too long");
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = CFunction.state(arena);
            int descriptor = (int) CFunction.of("socket").call(state, AF_UNIX, SOCK_STREAM_CLOEXEC, 0);
            if (descriptor < 0) {
                throw failure("no socket can be made", state);
            }
            MemorySegment address = arena.allocate(ADDRESS_BYTES, Short.BYTES);
            address.set(JAVA_SHORT, 0, (short) AF_UNIX);
            address.asByteBuffer().put(PATH, path);
            int result = (int) CFunction.of(function).call(state, descriptor, address.address(), ADDRESS_BYTES);
            if (result < 0) {
                IOException refused = failure(complaint + socket, state);
                close(descriptor);
                throw refused;
            }
            return descriptor;
        }
    }

    static void close(int descriptor) {
        CFunction.of("close").call(CFunction.IGNORED, descriptor);
    }

    /**
     * Receives what has come.
     *
     * @param wait whether to wait until something comes, which an interrupt does not end
     * @return number of bytes; 0 if nothing has come, -1 at the end
     */
    public int receive(byte[] target, int offset, int length, boolean wait) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = CFunction.state(arena);
            MemorySegment bytes = arena.allocate(Math.min(length, LARGEST_TRANSFER));
            while (true) {
                int count = (int)
                        RECEIVE.call(state, descriptor, bytes.address(), bytes.byteSize(), wait ? 0 : MSG_DONTWAIT);
                if (count >= 0) {
                    bytes.asByteBuffer().get(target, offset, count);
                    return count == 0 ? -1 : count;
                }
                int error = CFunction.errno(state);
                if (error == EAGAIN) {
                    return 0;
                }
                if (error != EINTR) {
                    throw failure("cannot receive", state);
                }
            }
        }
    }

    /**
     * Sends what there is room for now.
     *
     * @return number of bytes
     */
    public synchronized int send(byte[] source, int offset, int length) throws IOException {
        if (closed) {
            throw new IOException("the socket is closed");
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = CFunction.state(arena);
            MemorySegment bytes = arena.allocate(Math.min(length, LARGEST_TRANSFER));
            bytes.asByteBuffer().put(source, offset, (int) bytes.byteSize());
            while (true) {
                int count = (int)
                        SEND.call(state, descriptor, bytes.address(), bytes.byteSize(), MSG_DONTWAIT | MSG_NOSIGNAL);
                int error = CFunction.errno(state);
                if (count >= 0 || error == EAGAIN) {
                    return Math.max(0, count);
                }
                if (error != EINTR) {
                    throw failure("cannot send", state);
                }
            }
        }
    }

    /** The number is another file's then, so nobody sends at this moment or later. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            close(descriptor);
        }
    }

    static IOException failure(String what, MemorySegment state) {
        return new IOException(what + ": " + CFunction.describe(CFunction.errno(state)));
    }
}
