package org.galerna.sockets.network;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.galerna.link.handshake.Authenticator;
import org.galerna.link.handshake.SealedCall;
import org.galerna.link.handshake.Transcript;
import org.galerna.sockets.FallbackReason;

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
public final class LinkCall extends SealedCall {
    /** Rank of the process that has called, in the job of the two. */
    public static final int CALLER = 0;

    /** "galernaL" and the version. */
    private static final long MAGIC = 0x67616c65726e614cL + 2;

    private static final String PURPOSE = "galerna sockets";
    private static final int GREETING_BYTES = Long.BYTES + Authenticator.RANDOM_BYTES;
    private static final int HELLO_BYTES = Authenticator.RANDOM_BYTES + Integer.BYTES + Ends.BYTES;
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

    /** What the called one says. */
    public static final int WELCOME = 0;

    public static final int TRANSLATED = 1;
    public static final int NO_ROOM = 2;

    private LinkCall(SocketChannel channel) throws IOException {
        super(channel.socket(), PURPOSE, System.nanoTime() + PATIENCE);
    }

    public static Authenticator proof(byte[] key) {
        return new Authenticator(PURPOSE, key);
    }

    /** Nothing came of a call. */
    public static final class RefusedException extends IOException {
        private static final long serialVersionUID = 1L;

        private final FallbackReason reason;

        RefusedException(FallbackReason reason, String message) {
            super(message);
            this.reason = reason;
        }

        FallbackReason reason() {
            return reason;
        }
    }

    /**
     * Introduces this process to the one that is called.
     *
     * @param port at which the program listens there
     * @throws RefusedException if that one is somebody else, or does not want to
     */
    public static LinkCall introduce(SocketChannel channel, Authenticator proof, int port) throws IOException {
        LinkCall call = new LinkCall(channel);
        byte[] greeting = call.read(GREETING_BYTES);
        if (ByteBuffer.wrap(greeting).getLong() != MAGIC) {
            throw new RefusedException(FallbackReason.NO_LISTENER, "something else listens there");
        }
        ByteBuffer hello = ByteBuffer.allocate(HELLO_BYTES);
        hello.put(Authenticator.random()).putInt(port);
        Ends.of((InetSocketAddress) channel.getLocalAddress(), (InetSocketAddress) channel.getRemoteAddress())
                .write(hello);
        byte[] said = hello.array();
        Transcript transcript = new Transcript(proof, greeting);
        byte[] verdict;
        try {
            call.write(said, transcript.say("caller", said));
            verdict = call.read(Integer.BYTES);
        } catch (EOFException | java.net.SocketException hungUp) {
            throw new RefusedException(FallbackReason.WRONG_KEY, "the process there does not take the key for its own");
        }
        byte[] session = transcript.key();
        if (!call.hears(transcript, "called", verdict)) {
            throw new RefusedException(FallbackReason.WRONG_KEY, "the process there has not proved the key");
        }
        switch (ByteBuffer.wrap(verdict).getInt()) {
            case WELCOME -> {
                call.proved(session, true);
                return call;
            }
            case TRANSLATED ->
                throw new RefusedException(FallbackReason.NOT_HERE, "addresses are translated on the way there");
            default ->
                throw new RefusedException(FallbackReason.TOO_MANY, "the process there has no room for this one");
        }
    }

    /**
     * Answers a process that has called.
     *
     * @param decision gives the verdict on one that has proved the key, by the port that it names
     * @throws RefusedException if nothing comes of it
     */
    public static LinkCall answer(SocketChannel channel, Authenticator proof, IntFunction<Integer> decision)
            throws IOException {
        LinkCall call = new LinkCall(channel);
        byte[] greeting = ByteBuffer.allocate(GREETING_BYTES)
                .putLong(MAGIC)
                .put(Authenticator.random())
                .array();
        call.write(greeting);
        byte[] said = call.read(HELLO_BYTES);
        Transcript transcript = new Transcript(proof, greeting);
        if (!call.hears(transcript, "caller", said)) {
            throw new RefusedException(FallbackReason.WRONG_KEY, "it has another key");
        }
        ByteBuffer hello = ByteBuffer.wrap(said).position(Authenticator.RANDOM_BYTES);
        int port = hello.getInt();
        Ends seen =
                Ends.of((InetSocketAddress) channel.getRemoteAddress(), (InetSocketAddress) channel.getLocalAddress());
        int code = seen.equals(Ends.read(hello)) ? decision.apply(port) : TRANSLATED;
        byte[] verdict = ByteBuffer.allocate(Integer.BYTES).putInt(code).array();
        byte[] session = transcript.key();
        call.write(verdict, transcript.say("called", verdict));
        if (code != WELCOME) {
            throw new RefusedException(FallbackReason.NOT_HERE, "it was refused (" + code + ")");
        }
        call.proved(session, false);
        return call;
    }
}
