package org.galerna.nativeaccess.socket;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.galerna.nativeaccess.call.ByteOrders;
import org.galerna.nativeaccess.call.CFunction;
import org.galerna.nativeaccess.call.Platform;
import org.galerna.nativeaccess.file.SystemCallException;

/**
 * Who is at the other end of a TCP connection within this network name space, as the kernel knows it: every socket has a
 * number, its cookie ({@code SO_COOKIE}), that no other socket ever has, and {@code sock_diag(7)} tells the cookie of the
 * socket that a connection leads to. Two processes that agree on a cookie mean the same socket, whatever happens to
 * addresses, ports and file descriptors meanwhile. Linux only; any thread may call, nothing blocks.
 *
 * @param cookie the number that no other socket of this network name space ever has; 0 if the kernel gave none
 * @param user number of the user whose process made the socket
 */
public record SocketIdentity(long cookie, int user) {
    private static final int SOL_SOCKET = 1;
    private static final int SO_COOKIE = 57;
    private static final int SO_PEERCRED = 17;

    /** {@code struct ucred}: process, user, group. */
    private static final int CREDENTIALS_BYTES = 12;

    private static final int CREDENTIALS_USER = 4;

    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int AF_NETLINK = 16;
    private static final int DATAGRAM_CLOSE_ON_EXEC = 0x80002;
    private static final int NETLINK_SOCK_DIAG = 4;
    private static final int MSG_DONTWAIT = 0x40;

    private static final short SOCK_DIAG_BY_FAMILY = 20;
    private static final short REQUEST = 1;
    private static final byte TCP = 6;

    /** {@code struct nlmsghdr}, then {@code struct inet_diag_req_v2}: family, protocol, states at 4, identity at 8. */
    private static final int HEADER_BYTES = 16;

    private static final int REQUEST_BYTES = HEADER_BYTES + 56;
    private static final int IDENTITY = HEADER_BYTES + 8;
    private static final int ANSWER_BYTES = 1024;

    /** {@code struct inet_diag_msg}: identity at 4, whose cookie is at 40; expires at 52, queues, user at 64. */
    private static final int ANSWERED_COOKIE = HEADER_BYTES + 4 + 40;

    private static final int ANSWERED_USER = HEADER_BYTES + 64;

    /** The calls, looked for only where they are used. */
    private static final class Calls {
        static final CFunction GET_OPTION = CFunction.of("getsockopt");
        static final CFunction SOCKET = CFunction.of("socket");
        static final CFunction SEND = CFunction.of("send");
        static final CFunction RECEIVE = CFunction.of("recv");
        static final CFunction CLOSE = CFunction.of("close");
    }

    /** Why sockets cannot be told apart here, in one sentence; empty if they can. */
    public static Optional<String> unavailable() {
        return Platform.obstacle("sockets have cookies on Linux only")
                .or(() -> Platform.isProcessorKnown()
                        ? Optional.empty()
                        : Optional.of("the numbers of system calls of this processor are not known"));
    }

    /**
     * The cookie of a socket of this process.
     *
     * @param descriptor an open socket
     * @throws SystemCallException if it is none
     */
    public static long cookie(int descriptor) throws SystemCallException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = CFunction.state(arena);
            MemorySegment value = arena.allocate(JAVA_LONG);
            MemorySegment length = arena.allocateFrom(JAVA_INT, Long.BYTES);
            int status = (int)
                    Calls.GET_OPTION.call(state, descriptor, SOL_SOCKET, SO_COOKIE, value.address(), length.address());
            check(status, state, "cannot ask for the cookie of a socket");
            return value.get(JAVA_LONG, 0);
        }
    }

    /**
     * Number of the user whose process is at the other end of a connection between processes of one host.
     *
     * @param descriptor a connected UNIX-domain socket
     * @throws SystemCallException if it is none
     */
    public static int peerUser(int descriptor) throws SystemCallException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = CFunction.state(arena);
            MemorySegment value = arena.allocate(CREDENTIALS_BYTES, Integer.BYTES);
            MemorySegment length = arena.allocateFrom(JAVA_INT, CREDENTIALS_BYTES);
            int status = (int) Calls.GET_OPTION.call(
                    state, descriptor, SOL_SOCKET, SO_PEERCRED, value.address(), length.address());
            check(status, state, "cannot ask for the user at the other end of a socket");
            return value.get(JAVA_INT, CREDENTIALS_USER);
        }
    }

    /**
     * The socket of this network name space, in whatever process, that has one end of a TCP connection.
     *
     * @param local address and port of that end
     * @param remote address and port of the end opposite to it, of the same kind
     * @return empty if there is no such socket here: the connection leads to another host or name space, is translated on
     *     its way, or has ended
     * @throws SystemCallException if the kernel does not answer such questions
     */
    public static Optional<SocketIdentity> of(InetSocketAddress local, InetSocketAddress remote)
            throws SystemCallException {
        byte[] localBytes = local.getAddress().getAddress();
        byte[] remoteBytes = remote.getAddress().getAddress();
        if (localBytes.length != remoteBytes.length) {
            return Optional.empty();
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = CFunction.state(arena);
            MemorySegment message = arena.allocate(ANSWER_BYTES, Long.BYTES);
            message.set(JAVA_INT, 0, REQUEST_BYTES);
            message.set(JAVA_SHORT, 4, SOCK_DIAG_BY_FAMILY);
            message.set(JAVA_SHORT, 6, REQUEST);
            message.set(JAVA_BYTE, HEADER_BYTES, (byte) (localBytes.length == 4 ? AF_INET : AF_INET6));
            message.set(JAVA_BYTE, HEADER_BYTES + 1, TCP);
            message.set(JAVA_INT, HEADER_BYTES + 4, -1); // in any state
            message.set(JAVA_SHORT, IDENTITY, ByteOrders.network((short) local.getPort()));
            message.set(JAVA_SHORT, IDENTITY + 2, ByteOrders.network((short) remote.getPort()));
            MemorySegment.copy(localBytes, 0, message, JAVA_BYTE, IDENTITY + 4, localBytes.length);
            MemorySegment.copy(remoteBytes, 0, message, JAVA_BYTE, IDENTITY + 20, remoteBytes.length);
            message.set(JAVA_LONG, IDENTITY + 40, -1L); // whatever its cookie
            int netlink = (int) Calls.SOCKET.call(state, AF_NETLINK, DATAGRAM_CLOSE_ON_EXEC, NETLINK_SOCK_DIAG);
            check(netlink, state, "cannot ask the kernel about sockets");
            try {
                long sent = Calls.SEND.call(state, netlink, message.address(), REQUEST_BYTES, 0);
                check(sent, state, "cannot ask the kernel about a socket");
                // the kernel has answered when the call returns
                long received = Calls.RECEIVE.call(state, netlink, message.address(), ANSWER_BYTES, MSG_DONTWAIT);
                check(received, state, "the kernel does not answer questions about sockets");
                return answer(message, received);
            } finally {
                Calls.CLOSE.call(CFunction.IGNORED, netlink);
            }
        }
    }

    private static Optional<SocketIdentity> answer(MemorySegment message, long bytes) throws SystemCallException {
        if (bytes >= ANSWERED_USER + Integer.BYTES && message.get(JAVA_SHORT, 4) == SOCK_DIAG_BY_FAMILY) {
            // halves of 32 bits, the lower one first, in the machine's order
            long cookie = (message.get(JAVA_INT_UNALIGNED, ANSWERED_COOKIE) & 0xffffffffL)
                    | (long) message.get(JAVA_INT_UNALIGNED, ANSWERED_COOKIE + 4) << 32;
            return Optional.of(new SocketIdentity(cookie, message.get(JAVA_INT_UNALIGNED, ANSWERED_USER)));
        }
        int errno = bytes >= HEADER_BYTES + Integer.BYTES ? -message.get(JAVA_INT, HEADER_BYTES) : 0;
        if (errno == SystemCallException.ENOENT) {
            return Optional.empty();
        }
        throw new SystemCallException("cannot look for a socket", errno, "the kernel answers with error " + errno);
    }

    private static void check(long result, MemorySegment state, String what) throws SystemCallException {
        if (result < 0) {
            int errno = CFunction.errno(state);
            throw new SystemCallException(what, errno, "error " + errno);
        }
    }
}
