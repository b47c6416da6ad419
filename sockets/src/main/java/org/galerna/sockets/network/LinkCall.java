package org.galerna.sockets.network;

import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.galerna.link.pair.Line;
import org.galerna.link.pair.Proof;
import org.galerna.link.pair.Seal;
import org.galerna.sockets.PlainReason;

/**
 * What two processes on different hosts say to each other before a link joins them, over a TCP connection to a {@link Acceptor}.
 * The process that is called speaks first, so that a program that happens to listen there is told nothing.
 *
 * <pre>
 *  caller                                                              called
 *          &lt;--  magic (8), random (32)                                 --
 *          ---  random (32), port (4), {@link Ends} of this connection, proof (32)   --&gt;
 *          &lt;--  verdict (4), proof (32)                                --
 *          &lt;-&gt;  length (4), sealed bytes                               until one of them closes
 * </pre>
 *
 * <p>Proofs are made with the key of both, over all that was said before them. The ends are those that the caller sees: the
 * called one compares them with its own, and where addresses are translated in between, nothing comes of it, because the
 * same address may be somebody else's there. Until both have proved the key, messages have fixed lengths. For one thread.
 */
public final class LinkCall implements Line {
    /** Rank of the process that has called, in the job of the two. */
    public static final int CALLER = 0;

    /** "galernaL" and the version. */
    private static final long MAGIC = 0x67616c65726e614cL + 2;

    private static final String PURPOSE = "galerna sockets";
    private static final int GREETING_BYTES = Long.BYTES + Proof.RANDOM_BYTES;
    private static final int HELLO_BYTES = Proof.RANDOM_BYTES + Integer.BYTES + Ends.BYTES;
    private static final int LONGEST = 64 * 1024;
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

    /** What the called one says. */
    public static final int WELCOME = 0;

    public static final int TRANSLATED = 1;
    public static final int NO_ROOM = 2;

    private final Socket socket;
    private final OutputStream out;
    private final Seal seal;
    private final String name;
    private final long deadline;

    private LinkCall(Socket socket, byte[] session, boolean caller, long deadline) throws IOException {
        this.socket = socket;
        this.out = socket.getOutputStream();
        this.seal = new Seal(session, caller);
        this.name = HexFormat.of().formatHex(new Proof(PURPOSE, session).of("name"), 0, 8);
        this.deadline = deadline;
    }

    public static Proof proof(byte[] key) {
        return new Proof(PURPOSE, key);
    }

    /** Nothing came of a call. */
    public static final class RefusedException extends IOException {
        private static final long serialVersionUID = 1L;

        private final PlainReason reason;

        RefusedException(PlainReason reason, String message) {
            super(message);
            this.reason = reason;
        }

        PlainReason reason() {
            return reason;
        }
    }

    /**
     * Introduces this process to the one that is called.
     *
     * @param port at which the program listens there
     * @throws RefusedException if that one is somebody else, or does not want to
     */
    public static LinkCall introduce(SocketChannel channel, Proof proof, int port) throws IOException {
        Socket socket = channel.socket();
        socket.setTcpNoDelay(true);
        long deadline = System.nanoTime() + PATIENCE;
        byte[] greeting = read(socket, GREETING_BYTES, deadline);
        if (ByteBuffer.wrap(greeting).getLong() != MAGIC) {
            throw new RefusedException(PlainReason.NO_LISTENER, "something else listens there");
        }
        ByteBuffer hello = ByteBuffer.allocate(HELLO_BYTES);
        hello.put(Proof.random()).putInt(port);
        Ends.of((InetSocketAddress) channel.getLocalAddress(), (InetSocketAddress) channel.getRemoteAddress())
                .write(hello);
        byte[] said = hello.array();
        byte[] verdict;
        try {
            socket.getOutputStream().write(join(said, proof.of("caller", greeting, said)));
            verdict = read(socket, Integer.BYTES, deadline);
        } catch (EOFException | java.net.SocketException hungUp) {
            throw new RefusedException(PlainReason.WRONG_KEY, "the process there does not take the key for its own");
        }
        if (!Proof.equal(read(socket, Proof.BYTES, deadline), proof.of("called", greeting, said, verdict))) {
            throw new RefusedException(PlainReason.WRONG_KEY, "the process there has not proved the key");
        }
        switch (ByteBuffer.wrap(verdict).getInt()) {
            case WELCOME -> {
                return new LinkCall(socket, proof.of("session", greeting, said), true, deadline);
            }
            case TRANSLATED ->
                throw new RefusedException(PlainReason.NOT_HERE, "addresses are translated on the way there");
            default -> throw new RefusedException(PlainReason.TOO_MANY, "the process there has no room for this one");
        }
    }

    /**
     * Answers a process that has called.
     *
     * @param decision gives the verdict on one that has proved the key, by the port that it names
     * @throws RefusedException if nothing comes of it
     */
    public static LinkCall answer(SocketChannel channel, Proof proof, IntFunction<Integer> decision)
            throws IOException {
        Socket socket = channel.socket();
        socket.setTcpNoDelay(true);
        long deadline = System.nanoTime() + PATIENCE;
        byte[] greeting = ByteBuffer.allocate(GREETING_BYTES)
                .putLong(MAGIC)
                .put(Proof.random())
                .array();
        socket.getOutputStream().write(greeting);
        byte[] said = read(socket, HELLO_BYTES, deadline);
        if (!Proof.equal(read(socket, Proof.BYTES, deadline), proof.of("caller", greeting, said))) {
            throw new RefusedException(PlainReason.WRONG_KEY, "it has another key");
        }
        ByteBuffer hello = ByteBuffer.wrap(said).position(Proof.RANDOM_BYTES);
        int port = hello.getInt();
        Ends seen =
                Ends.of((InetSocketAddress) channel.getRemoteAddress(), (InetSocketAddress) channel.getLocalAddress());
        int code = seen.equals(Ends.read(hello)) ? decision.apply(port) : TRANSLATED;
        byte[] verdict = ByteBuffer.allocate(Integer.BYTES).putInt(code).array();
        socket.getOutputStream().write(join(verdict, proof.of("called", greeting, said, verdict)));
        if (code != WELCOME) {
            throw new RefusedException(PlainReason.NOT_HERE, "it was refused (" + code + ")");
        }
        return new LinkCall(socket, proof.of("session", greeting, said), false, deadline);
    }

    private static byte[] join(byte[] one, byte[] other) {
        byte[] all = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, all, one.length, other.length);
        return all;
    }

    /** The process at the other end, for messages. */
    public String peer() {
        return String.valueOf(socket.getRemoteSocketAddress());
    }

    /** How long there still is to say what is to be said, in nanoseconds. */
    public long remainingNanos() {
        return deadline - System.nanoTime();
    }

    /** Something that both have and that no other call has. */
    public String name() {
        return name;
    }

    @Override
    public void send(byte[] message) throws IOException {
        byte[] sealed = seal.seal(message);
        out.write(join(ByteBuffer.allocate(Integer.BYTES).putInt(sealed.length).array(), sealed));
    }

    @Override
    public byte[] receive() throws IOException {
        int length = ByteBuffer.wrap(read(socket, Integer.BYTES, deadline)).getInt();
        if (length < Seal.TAG_BYTES || length > LONGEST) {
            throw new ProtocolException("a sealed message has " + length + " bytes");
        }
        return seal.open(read(socket, length, deadline));
    }

    private static byte[] read(Socket socket, int bytes, long deadline) throws IOException {
        byte[] message = new byte[bytes];
        for (int have = 0; have < bytes; ) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (left <= 0) {
                throw new SocketTimeoutException("the process there has not answered in time");
            }
            socket.setSoTimeout((int) left); // again: one that says a byte a second does not get more time
            int count = socket.getInputStream().read(message, have, bytes - have);
            if (count < 0) {
                throw new EOFException("the process there has hung up");
            }
            have += count;
        }
        return message;
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException isGoneAllTheSame) {
            // nobody uses it any more
        }
    }
}
