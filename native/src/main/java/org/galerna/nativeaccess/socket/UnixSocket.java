package org.galerna.nativeaccess.socket;

import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.galerna.nativeaccess.call.CFunction;
import org.galerna.nativeaccess.call.CallMemory;
import org.galerna.nativeaccess.call.KernelCall;
import org.galerna.nativeaccess.call.Platform;

/**
 * A connection to a UNIX-domain socket. It costs much less to begin with than the platform's first channel, which prepares random
 * numbers and a selector, and an interrupt does not close it. One thread receives, and closes it in the end; another one may send
 * meanwhile. Linux only.
 */
public final class UnixSocket implements AutoCloseable {
    private static final int EINTR = 4;
    private static final int EAGAIN = 11;
    private static final int ECONNRESET = 104;

    private static final int AF_UNIX = 1;
    private static final int SOCK_STREAM_CLOEXEC = 0x80001;
    private static final int MSG_DONTWAIT = 0x40;
    private static final int MSG_NOSIGNAL = 0x4000;

    /** {@code struct sockaddr_un}: family (2), and the path with a zero at its end. */
    private static final int ADDRESS_BYTES = 110;

    private static final int PATH = 2;

    private static final int LARGEST_TRANSFER = 1 << 16;
    private static final int USUAL_TRANSFER = 1 << 12;

    private static final KernelCall SOCKET = KernelCall.of("socket", 41);
    private static final KernelCall CONNECT = KernelCall.of("connect", 42);
    private static final KernelCall CLOSE = KernelCall.of("close", 3);
    private static final KernelCall SEND = KernelCall.of("sendto", 44);
    private static final KernelCall RECEIVE = KernelCall.of("recvfrom", 45);

    private final CallMemory toReceive = CallMemory.allocate(USUAL_TRANSFER);
    private CallMemory toSend = CallMemory.allocate(USUAL_TRANSFER); // guarded by this
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
        return new UnixSocket(make(socket, CONNECT, "cannot connect to "));
    }

    /** A new socket for which a call has taken the address of a socket. */
    static int make(Path socket, KernelCall call, String complaint) throws IOException {
        byte[] path = socket.toString().getBytes(StandardCharsets.UTF_8);
        if (path.length >= ADDRESS_BYTES - PATH) {
            throw new IOException("the path of the socket " + socket + " is too long");
        }
        int descriptor = (int) SOCKET.call(AF_UNIX, SOCK_STREAM_CLOEXEC, 0);
        if (descriptor < 0) {
            throw failure("no socket can be made", descriptor);
        }
        CallMemory address = CallMemory.allocate(ADDRESS_BYTES);
        try {
            address.buffer().putShort(0, (short) AF_UNIX).put(PATH, path);
            long result = call.call(descriptor, address.address(), ADDRESS_BYTES);
            if (result < 0) {
                close(descriptor);
                throw failure(complaint + socket, result);
            }
            return descriptor;
        } finally {
            Reference.reachabilityFence(address);
        }
    }

    static void close(int descriptor) {
        long ignored = CLOSE.call(descriptor);
    }

    /**
     * Receives what has come.
     *
     * @param wait whether to wait until something comes, which an interrupt does not end
     * @return number of bytes; 0 if nothing has come, -1 at the end
     */
    public int receive(byte[] target, int offset, int length, boolean wait) throws IOException {
        int most = Math.min(length, USUAL_TRANSFER);
        while (true) {
            long count = RECEIVE.call(descriptor, toReceive.address(), most, wait ? 0 : MSG_DONTWAIT);
            if (count >= 0) {
                toReceive.buffer().get(0, target, offset, (int) count);
                return count == 0 ? -1 : (int) count;
            }
            if (count == -EAGAIN) {
                return 0;
            }
            if (count == -ECONNRESET) {
                return -1; // the other side has ended without reading all
            }
            if (count != -EINTR) {
                throw failure("cannot receive", count);
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
        int most = Math.min(length, LARGEST_TRANSFER);
        if (most > toSend.buffer().capacity()) {
            toSend = CallMemory.allocate(LARGEST_TRANSFER);
        }
        toSend.buffer().put(0, source, offset, most);
        while (true) {
            long count = SEND.call(descriptor, toSend.address(), most, MSG_DONTWAIT | MSG_NOSIGNAL);
            if (count >= 0 || count == -EAGAIN) {
                return (int) Math.max(0, count);
            }
            if (count != -EINTR) {
                throw failure("cannot send", count);
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

    /** What a call has failed with, by its result. */
    static IOException failure(String what, long result) {
        return new IOException(what + ": " + CFunction.describe((int) -result));
    }
}
