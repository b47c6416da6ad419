package org.galerna.messaging.handshake;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.galerna.link.pair.Line;
import org.galerna.link.pair.Proof;
import org.galerna.link.pair.Seal;
import org.jspecify.annotations.Nullable;

/**
 * A connection between two nodes that have proved the cluster's key to each other. What they say afterwards is sealed
 * (AES-256-GCM under a key that both derive from the cluster's key and fresh random bytes of both), because the key of the
 * link that they open is among it.
 *
 * <pre>
 *  caller                                          called
 *            ---  {@link Greeting} (56)               --&gt;
 *            &lt;--  incarnation (8), random (32), proof (32)
 *            ---  proof (32)                     --&gt;
 *            &lt;--  verdict (1), proof (32)
 *            &lt;-&gt;  length (4), sealed bytes           until one of them closes
 * </pre>
 *
 * <p>Until both have proved the key, messages have fixed lengths, and nothing is allocated by what a stranger says. Used
 * by one thread. Whatever is not said in time ends the call.
 */
public final class SecureCall implements Line {
    private static final int LONGEST = 64 * 1024;
    private static final String NOT_PROVED = "nobody has proved the key yet";

    private final Socket socket;
    private long deadline;
    private final DataInputStream in;
    private final OutputStream out;
    private String name = "";
    private @Nullable Proof session; // once both have proved the key, as the two below
    private @Nullable Seal seal;
    private boolean caller;
    private long peerIncarnation;

    private SecureCall(Socket socket, long deadline) throws IOException {
        this.socket = socket;
        this.deadline = deadline;
        this.in = new DataInputStream(socket.getInputStream());
        this.out = socket.getOutputStream();
    }

    /** A call, and what the node that was called has decided. */
    public record Answered(SecureCall call, Verdict verdict) {}

    /**
     * Calls a node.
     *
     * @param deadline as of {@link System#nanoTime}
     * @throws IOException if nobody answers in time, or somebody who does not know the key
     */
    public static Answered dial(InetSocketAddress address, byte[] key, Greeting greeting, long deadline)
            throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(address, remainingMillis(deadline));
            socket.setTcpNoDelay(true);
            SecureCall call = new SecureCall(socket, deadline);
            return new Answered(call, call.introduce(proof(key), greeting));
        } catch (IOException | RuntimeException failed) {
            socket.close();
            throw failed;
        }
    }

    private static Proof proof(byte[] key) {
        return new Proof("galerna messaging", key);
    }

    private void proved(byte[] key, boolean isCaller) {
        session = proof(key);
        name = HexFormat.of().formatHex(session().of("name"), 0, 8);
        seal = new Seal(key, isCaller);
        caller = isCaller;
    }

    private Verdict introduce(Proof proof, Greeting greeting) throws IOException {
        byte[] hello = greeting.encode(Proof.random());
        out.write(hello);
        byte[] answer = read(Long.BYTES + Greeting.RANDOM_BYTES);
        if (!Proof.equal(read(Proof.BYTES), proof.of("called", hello, answer))) {
            throw new WrongKeyException();
        }
        peerIncarnation = ByteBuffer.wrap(answer).getLong();
        out.write(proof.of("caller", hello, answer));
        byte[] verdict = read(1);
        if (!Proof.equal(read(Proof.BYTES), proof.of("verdict", hello, answer, verdict))) {
            throw new WrongKeyException();
        }
        proved(proof.of("session", hello, answer), true);
        return Verdict.of(verdict[0]);
    }

    /**
     * Listens to somebody who has called.
     *
     * @throws IOException if that is no greeting, or comes too late
     */
    public static Heard hear(Socket socket, long deadline) throws IOException {
        socket.setTcpNoDelay(true);
        SecureCall call = new SecureCall(socket, deadline);
        byte[] hello = call.read(Greeting.BYTES);
        return new Heard(call, Greeting.decode(hello), hello);
    }

    /** Somebody has called and said what for; nothing is proved yet. */
    public static final class Heard {
        private final SecureCall call;
        private final Greeting greeting;
        private final byte[] hello;

        private Heard(SecureCall call, Greeting greeting, byte[] hello) {
            this.call = call;
            this.greeting = greeting;
            this.hello = hello;
        }

        /** What was said. */
        public Greeting greeting() {
            return greeting;
        }

        /** Of a {@linkplain Greeting.Purpose#STREAM stream}, which link it is for. */
        byte[] token() {
            return Arrays.copyOfRange(hello, hello.length - Greeting.RANDOM_BYTES, hello.length);
        }

        /**
         * Answers.
         *
         * @param decision gives the verdict on one that has proved the key; called once at most
         */
        public Answered answer(byte[] key, long incarnation, Function<Greeting, Verdict> decision) throws IOException {
            byte[] answer = ByteBuffer.allocate(Long.BYTES + Greeting.RANDOM_BYTES)
                    .putLong(incarnation)
                    .put(Proof.random())
                    .array();
            Proof proof = proof(key);
            call.out.write(answer);
            call.out.write(proof.of("called", hello, answer));
            if (!Proof.equal(call.read(Proof.BYTES), proof.of("caller", hello, answer))) {
                throw new WrongKeyException();
            }
            Verdict verdict = decision.apply(greeting);
            byte[] code = {verdict.code()};
            call.proved(proof.of("session", hello, answer), false);
            call.peerIncarnation = greeting.incarnation();
            try {
                call.out.write(code);
                call.out.write(proof.of("verdict", hello, answer, code));
            } catch (IOException gone) {
                throw new VerdictLostException(gone);
            }
            return new Answered(call, verdict);
        }
    }

    /** Which start of the other node this is. */
    public long peerIncarnation() {
        return peerIncarnation;
    }

    /** Something that both have and that no other call has: names what they open. */
    public String name() {
        return name;
    }

    /** Something that both have and nobody else, for each name: tells the called node which link a stream is for. */
    byte[] token(String what) {
        return session().of("stream", what.getBytes(StandardCharsets.UTF_8));
    }

    /** Where the node was called; empty if this is the one that was. */
    Optional<SocketAddress> called() {
        return caller ? Optional.of(socket.getRemoteSocketAddress()) : Optional.empty();
    }

    private Proof session() {
        return Objects.requireNonNull(session, NOT_PROVED);
    }

    private Seal seal() {
        return Objects.requireNonNull(seal, NOT_PROVED);
    }

    @Override
    public void send(byte[] message) throws IOException {
        byte[] sealed = seal().seal(message);
        out.write(ByteBuffer.allocate(Integer.BYTES + sealed.length)
                .putInt(sealed.length)
                .put(sealed)
                .array());
    }

    @Override
    public byte[] receive() throws IOException {
        int length = ByteBuffer.wrap(read(Integer.BYTES)).getInt();
        if (length < Seal.TAG_BYTES || length > LONGEST) {
            throw new ProtocolException("a sealed message has " + length + " bytes");
        }
        return seal().open(read(length));
    }

    private byte[] read(int bytes) throws IOException {
        byte[] message = new byte[bytes];
        int have = 0;
        while (have < bytes) {
            // again before each part: one that says a byte a second does not get more time
            socket.setSoTimeout(remainingMillis(deadline));
            int count = in.read(message, have, bytes - have);
            if (count < 0) {
                throw new EOFException("the other side has closed the connection");
            }
            have += count;
        }
        return message;
    }

    /** Gives what is said from now on so many nanoseconds, unless it has more already. By the thread that speaks. */
    public void extend(long nanos) {
        long later = System.nanoTime() + nanos;
        if (later - deadline > 0) {
            deadline = later;
        }
    }

    /** How long there still is to say what is to be said, in nanoseconds. */
    public long remainingNanos() {
        return deadline - System.nanoTime();
    }

    private static int remainingMillis(long deadline) throws SocketTimeoutException {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (left <= 0) {
            throw new SocketTimeoutException("the other side has not answered in time");
        }
        return (int) Math.min(left, Integer.MAX_VALUE);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException closedAnyway) {
            // nothing of it is used any more
        }
    }

    /** The other side does not know the cluster's key. */
    public static final class WrongKeyException extends IOException {
        private static final long serialVersionUID = 1L;

        WrongKeyException() {
            super("it does not know the key of this cluster");
        }
    }

    /** The caller has gone before it could hear the verdict, which has to be taken back. */
    public static final class VerdictLostException extends IOException {
        private static final long serialVersionUID = 1L;

        VerdictLostException(IOException cause) {
            super(cause.getMessage(), cause);
        }
    }
}
