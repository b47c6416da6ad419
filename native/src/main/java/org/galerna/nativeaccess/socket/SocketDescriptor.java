package org.galerna.nativeaccess.socket;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.galerna.nativeaccess.call.CFunction;
import org.galerna.nativeaccess.call.Platform;

/**
 * The socket of a {@link SocketChannel}, for bytes of arrays: the system copies them from and to the array itself, where
 * the channel would copy them through a buffer first. No call blocks. One thread at a time may receive and one at a time
 * send; the caller sees to it that nobody does when the channel has been closed, because the system gives the number of
 * the socket to the next one that is opened. Linux only.
 *
 * <p>While the system copies, the collector has to wait, as for any loop that copies an array: about 50 µs for 256 KiB.
 */
public final class SocketDescriptor {
    private static final int INTERRUPTED_CALL = 4; // EINTR
    private static final int WOULD_BLOCK = 11; // EAGAIN

    private static final int SOL_SOCKET = 1;
    private static final int SO_LINGER = 13;
    private static final int LINGER_BYTES = 8;

    private static final int IPPROTO_TCP = 6;
    private static final int TCP_CONGESTION = 13;

    /** A way to control congestion that every Linux has and every user may choose: it sends as soon as there is room. */
    public static final String UNPACED = "reno";

    // the beginning of struct tcp_info, which every Linux fills as far as this
    private static final int TCP_INFO = 11;
    private static final int TCP_INFO_BYTES = 104;
    private static final long RETRANSMITS = 2;
    private static final long PROBES = 3;
    private static final long UNACKNOWLEDGED = 24;
    private static final long LAST_DATA_SENT = 44;
    private static final long LAST_ACKNOWLEDGEMENT = 56;

    private static final long SIOCOUTQ = 0x5411;

    private static final int MSG_DONTWAIT = 0x40;
    private static final int MSG_NOSIGNAL = 0x4000;
    private static final int MSG_MORE = 0x8000;

    /** Marks that a socket must show before it is taken for the channel's. */
    private static final int MARKS = 2;

    private static final int LARGEST_MARK = 65_535;

    /** Numbers above the highest that was found that are tried before the system is asked which are in use. */
    private static final int NEIGHBOURS = 256;

    private static final boolean AVAILABLE = isAvailable();

    // guarded by the class
    private static final BitSet FOUND = new BitSet(); // those of channels that are not closed
    private static int lastFound;
    private static int highestFound;

    private final int number;

    // one for each direction, because both may be used at once
    private final MemorySegment receiveState = CFunction.state(Arena.ofAuto());
    private final MemorySegment sendState = CFunction.state(Arena.ofAuto());

    /** The calls; constants, so that they are compiled into where they are used, and bound only where they can be. */
    private static final class Calls {
        static final CFunction OPTION = CFunction.of("getsockopt");
        static final CFunction SET_OPTION = CFunction.of("setsockopt");
        static final CFunction CONTROL = CFunction.of("ioctl");
    }

    /** Those for arrays, apart from the others: to link their handles costs what a connection alone does not need. */
    @SuppressWarnings("restricted") // the one purpose of this module
    private static final class ArrayCalls {
        static final MethodHandle RECEIVE = transfer("recv");
        static final MethodHandle SEND = transfer("send");

        /** A handle of its own, because it takes arrays as they are. */
        private static MethodHandle transfer(String name) {
            return Linker.nativeLinker()
                    .downcallHandle(
                            CFunction.of(name).address(),
                            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT),
                            Linker.Option.critical(true),
                            Linker.Option.captureCallState("errno"));
        }
    }

    private SocketDescriptor(int number) {
        this.number = number;
    }

    /**
     * The socket of a channel that is connected; empty where it cannot be used.
     *
     * <p>The platform does not tell the number. So the channel's socket is marked with a value of an option that means
     * nothing before it is closed, the time to linger, and looked for among all that may be open; then again with another
     * value, because somebody else's might have had the first one. Numbers that were found before are left out, so that a
     * process with thousands of sockets looks at few of them.
     */
    public static Optional<SocketDescriptor> of(SocketChannel channel) {
        if (!AVAILABLE) {
            return Optional.empty();
        }
        synchronized (SocketDescriptor.class) { // or two searches would find each other's marks
            try {
                int before = channel.getOption(StandardSocketOptions.SO_LINGER);
                try (Search search = new Search(channel)) {
                    int number = search.near();
                    number = number >= 0 ? number : search.among(openFiles());
                    if (number < 0) {
                        return Optional.empty();
                    }
                    lastFound = number;
                    highestFound = Math.max(highestFound, number);
                    FOUND.set(number);
                    return Optional.of(new SocketDescriptor(number));
                } finally {
                    channel.setOption(StandardSocketOptions.SO_LINGER, before);
                }
            } catch (IOException | UncheckedIOException | UnsupportedOperationException noFolderOrOption) {
                return Optional.empty();
            }
        }
    }

    /** To be called before the channel is closed; a number that is not given back is only found more slowly again. */
    public void release() {
        synchronized (SocketDescriptor.class) {
            FOUND.clear(number);
        }
    }

    private static IntStream openFiles() {
        IntStream.Builder numbers = IntStream.builder();
        try (DirectoryStream<Path> open = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path each : open) {
                numbers.add(Integer.parseInt(each.getFileName().toString()));
            }
            return numbers.build();
        } catch (IOException noFolder) {
            throw new UncheckedIOException(noFolder);
        }
    }

    /** For the number of one channel's socket. */
    private static final class Search implements AutoCloseable {
        private final SocketChannel channel;
        private final Arena arena = Arena.ofConfined();
        private final MemorySegment linger = arena.allocate(LINGER_BYTES, 4);
        private final MemorySegment length = arena.allocate(JAVA_INT);
        private int mark;

        Search(SocketChannel channel) throws IOException {
            this.channel = channel;
            mark();
        }

        private void mark() throws IOException {
            int next = ThreadLocalRandom.current().nextInt(1, LARGEST_MARK);
            mark = next == mark ? LARGEST_MARK : next;
            channel.setOption(StandardSocketOptions.SO_LINGER, mark);
        }

        /** Tries numbers that are not taken, behind the last one that was found first, because most were opened in turn. */
        int near() {
            int end = highestFound + NEIGHBOURS;
            for (int tried = 0; tried < end; tried++) {
                int number = (lastFound + 1 + tried) % end;
                if (!FOUND.get(number) && isChannel(number)) {
                    return number;
                }
            }
            return -1;
        }

        int among(IntStream numbers) {
            return numbers.filter(this::isChannel).findFirst().orElse(-1);
        }

        private boolean isChannel(int number) {
            try {
                for (int seen = 0; seen < MARKS; seen++) {
                    if (!hasMark(number)) {
                        return false;
                    }
                    mark();
                }
                return true;
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        }

        private boolean hasMark(int number) {
            length.set(JAVA_INT, 0, LINGER_BYTES);
            int status = (int) Calls.OPTION.call(
                    CFunction.IGNORED, number, SOL_SOCKET, SO_LINGER, linger.address(), length.address());
            return status == 0 && linger.get(JAVA_INT, 0) != 0 && linger.get(JAVA_INT, 4) == mark;
        }

        @Override
        public void close() {
            arena.close();
        }
    }

    /**
     * Takes what has arrived.
     *
     * @param target memory of any kind
     * @return number of bytes; 0 if there are none at the moment, -1 if the peer has ended its side
     * @throws IOException if the connection is broken
     */
    public int receive(MemorySegment target, long offset, long length) throws IOException {
        long count;
        try {
            count = (long) ArrayCalls.RECEIVE.invokeExact(
                    receiveState, number, target.asSlice(offset, length), length, MSG_DONTWAIT);
        } catch (Throwable failed) {
            throw rethrown(failed);
        }
        return count > 0 ? (int) count : count == 0 ? -1 : nothing(receiveState);
    }

    /**
     * Sends what there is room for.
     *
     * @param source memory of any kind
     * @param more whether other bytes follow at once, so that these may wait for them
     * @return number of bytes; 0 if there is no room at the moment
     * @throws IOException if the connection is broken
     */
    public int send(MemorySegment source, long offset, long length, boolean more) throws IOException {
        int flags = MSG_DONTWAIT | MSG_NOSIGNAL | (more ? MSG_MORE : 0);
        long count;
        try {
            count = (long)
                    ArrayCalls.SEND.invokeExact(sendState, number, source.asSlice(offset, length), length, flags);
        } catch (Throwable failed) {
            throw rethrown(failed);
        }
        return count >= 0 ? (int) count : nothing(sendState);
    }

    /**
     * Chooses how the system finds out how fast it may send; of a TCP socket. What the system chooses by itself may pace what
     * is sent, and measures for that how fast the peer takes it.
     *
     * @param algorithm its name, e.g. {@link #UNPACED}
     * @return whether the system has it and lets this user choose it; otherwise nothing changes
     */
    public boolean controlCongestion(String algorithm) {
        try (Arena arena = Arena.ofConfined()) {
            // byte by byte: a copy of an array makes the virtual machine write a class
            MemorySegment name = arena.allocate(algorithm.length());
            for (int at = 0; at < algorithm.length(); at++) {
                name.set(JAVA_BYTE, at, (byte) algorithm.charAt(at));
            }
            return (int) Calls.SET_OPTION.call(
                            CFunction.IGNORED, number, IPPROTO_TCP, TCP_CONGESTION, name.address(), name.byteSize())
                    == 0;
        }
    }

    /**
     * Bytes that were sent and that the peer's system has not acknowledged yet. Between sockets of one system that are
     * files: those that the peer has not taken.
     *
     * @throws IOException if the system does not tell
     */
    public int unacknowledged() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = CFunction.state(arena);
            MemorySegment count = arena.allocate(JAVA_INT);
            int status = (int) Calls.CONTROL.call(state, number, SIOCOUTQ, count.address());
            if (status < 0) {
                throw new IOException(CFunction.describe(CFunction.errno(state)));
            }
            return count.get(JAVA_INT, 0);
        }
    }

    /**
     * What the peer's system has answered, of a TCP socket. It acknowledges bytes, and says that there is no room for more,
     * whether or not the peer's process runs.
     *
     * @throws IOException if the system does not tell
     */
    public SystemAnswers answers() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = CFunction.state(arena);
            MemorySegment info = arena.allocate(TCP_INFO_BYTES, 8);
            MemorySegment length = arena.allocateFrom(JAVA_INT, TCP_INFO_BYTES);
            int status =
                    (int) Calls.OPTION.call(state, number, IPPROTO_TCP, TCP_INFO, info.address(), length.address());
            if (status < 0 || length.get(JAVA_INT, 0) <= LAST_ACKNOWLEDGEMENT) {
                throw new IOException(CFunction.describe(CFunction.errno(state)));
            }
            long quiet = Integer.toUnsignedLong(info.get(JAVA_INT, LAST_ACKNOWLEDGEMENT));
            boolean asked = info.get(JAVA_INT, UNACKNOWLEDGED) > 0
                    && Integer.toUnsignedLong(info.get(JAVA_INT, LAST_DATA_SENT)) < quiet;
            int repeated = Byte.toUnsignedInt(info.get(JAVA_BYTE, RETRANSMITS));
            int probes = Byte.toUnsignedInt(info.get(JAVA_BYTE, PROBES));
            return new SystemAnswers(probes + (asked ? 1 + repeated : 0), quiet);
        }
    }

    private static int nothing(MemorySegment state) throws IOException {
        int error = CFunction.errno(state);
        if (error == WOULD_BLOCK || error == INTERRUPTED_CALL) {
            return 0;
        }
        throw new IOException(CFunction.describe(error));
    }

    /** What a call may throw: the memory is not accessible, see {@link MemorySegment}. */
    private static RuntimeException rethrown(Throwable failed) {
        if (failed instanceof RuntimeException inaccessible) {
            return inaccessible;
        }
        throw new IllegalStateException(failed);
    }

    private static boolean isAvailable() {
        return Platform.isProcessorKnown() && Platform.isUsable();
    }
}
