package org.galerna.nativeaccess.file;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.galerna.nativeaccess.call.CFunction;

/**
 * Bytes over a UNIX-domain stream socket that bring a file descriptor with them ({@code SCM_RIGHTS} of {@code unix(7)}). One
 * thread at a time sends, and one receives, who see to it that the socket is open. No call blocks. Linux on 64 bits only.
 */
public final class DescriptorPassing {
    /** {@link #takeReceived}: none has come. */
    public static final int NONE = -1;

    private static final int DO_NOT_BLOCK = 0x40;
    private static final int NO_SIGNAL = 0x4000;
    private static final int CLOSE_ON_EXEC = 0x40000000;
    private static final int SOL_SOCKET = 1;
    private static final int SCM_RIGHTS = 1;
    private static final int EINTR = 4;
    private static final int EAGAIN = 11;

    /** {@code struct msghdr}: name, its length, pieces at 16, their number, control at 32, its length at 40, flags. */
    private static final int HEADER_BYTES = 56;

    /** {@code struct cmsghdr}: length, level at 8, type at 12, then the descriptor: so long that no second one fits. */
    private static final int CONTROL_BYTES = 20;

    private static final CFunction SEND = CFunction.of("sendmsg");
    private static final CFunction RECEIVE = CFunction.of("recvmsg");
    private static final CFunction CLOSE = CFunction.of("close");

    private final int socket;
    private final Arena arena = Arena.ofAuto();
    private final Message outgoing = new Message();
    private final Message incoming = new Message();
    private int received = NONE;

    /** Over an open socket, which stays the caller's. */
    public DescriptorPassing(int socket) {
        this.socket = socket;
    }

    private final class Message {
        private final MemorySegment state = CFunction.state(arena);
        private final MemorySegment header = arena.allocate(HEADER_BYTES, Long.BYTES);
        private final MemorySegment piece = arena.allocate(16, Long.BYTES); // address and length
        private final MemorySegment control = arena.allocate(24, Long.BYTES);

        private long transfer(CFunction call, MemorySegment bytes, int flags) {
            piece.set(JAVA_LONG, 0, bytes.address());
            piece.set(JAVA_LONG, 8, bytes.byteSize());
            header.set(JAVA_LONG, 16, piece.address());
            header.set(JAVA_LONG, 24, 1);
            header.set(JAVA_LONG, 32, control.address());
            header.set(JAVA_LONG, 40, CONTROL_BYTES);
            return call.call(state, socket, header.address(), flags);
        }
    }

    /**
     * Sends bytes and a descriptor, which stays this process' too.
     *
     * @param bytes not of the heap; one at least
     * @return false if there is no room now; then nothing was sent
     * @throws IOException if the connection is broken, or only some of the bytes went
     */
    public boolean send(MemorySegment bytes, int descriptor) throws IOException {
        outgoing.control.set(JAVA_LONG, 0, CONTROL_BYTES);
        outgoing.control.set(JAVA_INT, 8, SOL_SOCKET);
        outgoing.control.set(JAVA_INT, 12, SCM_RIGHTS);
        outgoing.control.set(JAVA_INT, 16, descriptor);
        long count = outgoing.transfer(SEND, bytes, DO_NOT_BLOCK | NO_SIGNAL);
        if (count == bytes.byteSize()) {
            return true;
        }
        int errno = CFunction.errno(outgoing.state);
        if (count < 0 && (errno == EAGAIN || errno == EINTR)) {
            return false;
        }
        throw new IOException(count < 0 ? CFunction.describe(errno) : "only " + count + " bytes were sent");
    }

    /**
     * Receives bytes, and perhaps a descriptor, which {@link #takeReceived} returns.
     *
     * @param target direct
     * @return number of bytes; 0 if there are none now, -1 if the other end is closed
     * @throws IOException if the connection is broken
     */
    public int receive(ByteBuffer target) throws IOException {
        incoming.control.fill((byte) 0);
        long count = incoming.transfer(RECEIVE, MemorySegment.ofBuffer(target), DO_NOT_BLOCK | CLOSE_ON_EXEC);
        if (count < 0) {
            int errno = CFunction.errno(incoming.state);
            if (errno == EAGAIN || errno == EINTR) {
                return 0;
            }
            throw new IOException(CFunction.describe(errno));
        }
        if (incoming.header.get(JAVA_LONG, 40) >= CONTROL_BYTES
                && incoming.control.get(JAVA_INT, 8) == SOL_SOCKET
                && incoming.control.get(JAVA_INT, 12) == SCM_RIGHTS) {
            drop();
            received = incoming.control.get(JAVA_INT, 16);
        }
        target.position(target.position() + (int) count);
        return count == 0 ? -1 : (int) count;
    }

    /** The descriptor that has come last, which belongs to the caller from now on; {@link #NONE} if there is none. */
    public int takeReceived() {
        int taken = received;
        received = NONE;
        return taken;
    }

    /** Closes a descriptor that has come and that nobody has taken. */
    public void drop() {
        if (received != NONE) {
            CLOSE.call(CFunction.IGNORED, takeReceived());
        }
    }
}
