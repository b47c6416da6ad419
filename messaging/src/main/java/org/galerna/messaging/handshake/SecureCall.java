package org.galerna.messaging.handshake;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.galerna.link.handshake.Authenticator;
import org.galerna.link.handshake.SealedCall;
import org.galerna.link.handshake.Transcript;
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
 */
public final class SecureCall extends SealedCall {
    private static final String PURPOSE = "galerna messaging";

    private boolean caller;
    private long peerIncarnation;

    private SecureCall(Socket socket, long deadline) throws IOException {
        super(socket, PURPOSE, deadline);
    }

    /** A call, and what the node that was called has decided. */
    public record Answered(SecureCall call, Verdict verdict) {}

    /**
     * Calls a node.
     *
     * @param deadline as of {@link System#nanoTime}
     * @throws IOException if nobody answers in time, or somebody who does not know the key
     */
    static Answered dial(InetSocketAddress address, byte[] key, Greeting greeting, long deadline) throws IOException {
        return dial(address, List.of(key), greeting, deadline);
    }

    /**
     * Calls a node.
     *
     * @param keys any of which the node may prove
     * @param deadline as of {@link System#nanoTime}
     * @throws IOException if nobody answers in time, or somebody who knows none of the keys
     */
    public static Answered dial(InetSocketAddress address, List<byte[]> keys, Greeting greeting, long deadline)
            throws IOException {
        Socket socket = new Socket();
        try {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            socket.connect(address, Math.clamp(left, 1, Integer.MAX_VALUE));
            SecureCall call = new SecureCall(socket, deadline);
            return new Answered(call, call.introduce(keys, greeting));
        } catch (IOException | RuntimeException failed) {
            socket.close();
            throw failed;
        }
    }

    private static Authenticator proof(byte[] key) {
        return new Authenticator(PURPOSE, key);
    }

    private Verdict introduce(List<byte[]> keys, Greeting greeting) throws IOException {
        byte[] hello = greeting.encode(Authenticator.random());
        write(hello);
        byte[] answer = read(Long.BYTES + Greeting.RANDOM_BYTES);
        Transcript transcript = proved(keys, hello, answer, read(Authenticator.BYTES));
        peerIncarnation = ByteBuffer.wrap(answer).getLong();
        byte[] session = transcript.key();
        write(transcript.say("caller"));
        byte[] verdict = read(1);
        if (!hears(transcript, "verdict", verdict)) {
            throw new WrongKeyException();
        }
        proved(session, true);
        caller = true;
        return Verdict.of(verdict[0]);
    }

    /** The conversation, with the key that the other side has proved. */
    private static Transcript proved(List<byte[]> keys, byte[] hello, byte[] answer, byte[] said) throws IOException {
        for (byte[] each : keys) {
            Transcript transcript = new Transcript(proof(each), hello);
            if (transcript.hears("called", said, answer)) {
                return transcript;
            }
        }
        Greeting.checkRefusal(answer);
        throw new WrongKeyException();
    }

    /**
     * Listens to somebody who has called.
     *
     * @throws IOException if that is no greeting, or comes too late
     */
    public static Heard hear(Socket socket, long deadline) throws IOException {
        SecureCall call = new SecureCall(socket, deadline);
        byte[] hello = call.read(Greeting.BYTES);
        try {
            return new Heard(call, Greeting.decode(hello), hello);
        } catch (Greeting.VersionException other) {
            if (other.awaitsAnswer()) {
                call.write(Greeting.refusal());
            }
            throw other;
        }
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
                    .put(Authenticator.random())
                    .array();
            Transcript transcript = new Transcript(proof(key), hello);
            call.write(answer, transcript.say("called", answer));
            proveCaller(transcript);
            Verdict verdict = decision.apply(greeting);
            byte[] code = {verdict.code()};
            call.proved(transcript.key(), false);
            call.peerIncarnation = greeting.incarnation();
            try {
                call.write(code, transcript.say("verdict", code));
            } catch (IOException gone) {
                throw new VerdictLostException(gone);
            }
            return new Answered(call, verdict);
        }

        /** A caller that finds that this side has another key ends the call without a word. */
        private void proveCaller(Transcript transcript) throws IOException {
            try {
                if (call.hears(transcript, "caller")) {
                    return;
                }
            } catch (IOException gone) {
                throw new UnprovedException(
                        this, "it has not proved the key of this cluster: " + gone.getMessage(), gone);
            }
            throw new UnprovedException(this, "it does not know the key of this cluster", null);
        }
    }

    /** Which start of the other node this is. */
    public long peerIncarnation() {
        return peerIncarnation;
    }

    /** Something that both have and nobody else, for each name: tells the called node which link a stream is for. */
    byte[] token(String what) {
        return authenticator().of("stream", what.getBytes(StandardCharsets.UTF_8));
    }

    /** Where the node was called; empty if this is the one that was. */
    Optional<SocketAddress> called() {
        return caller ? Optional.of(socket().getRemoteSocketAddress()) : Optional.empty();
    }

    /** The other side does not know the cluster's key. */
    public static final class WrongKeyException extends IOException {
        private static final long serialVersionUID = 1L;

        WrongKeyException() {
            super("it does not know the key of this cluster");
        }
    }

    /** The caller has not proved the cluster's key: it has said something else, or nothing. */
    public static final class UnprovedException extends IOException {
        private static final long serialVersionUID = 1L;

        private final String caller;

        UnprovedException(Heard heard, String message, @Nullable IOException cause) {
            super("as node " + heard.greeting.from() + " " + message, cause);
            this.caller = heard.call.peer();
        }

        /** Its address. */
        public String caller() {
            return caller;
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
