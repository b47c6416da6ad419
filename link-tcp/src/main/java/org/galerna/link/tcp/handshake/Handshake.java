package org.galerna.link.tcp.handshake;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.ToIntFunction;
import org.galerna.link.handshake.Authenticator;
import org.galerna.link.handshake.Transcript;
import org.galerna.link.tcp.wire.ProtocolException;
import org.galerna.link.tcp.wire.Wire;
import org.jspecify.annotations.Nullable;

/**
 * What happens on a connection before anything else: both sides prove that they know the job's key.
 *
 * <pre>
 *  initiator                                   acceptor
 *            ---  {@link Hello} (64)                 -->
 *            &lt;--  random bytes (32), proof (32) ---     role "acceptor"
 *            ---  proof (32)                 -->     role "initiator"
 *            &lt;--  verdict (8), proof (32)   ---     role "verdict"
 * </pre>
 *
 * <p>Messages have these lengths and no others, so that nothing is ever allocated by what a stranger says, and no byte
 * that follows the handshake is taken. Driven by one thread.
 */
public abstract sealed class Handshake {
    /** Verdict: welcome. */
    public static final int ACCEPTED = 0;

    /** Verdict: both ranks have opened a connection, and the other one is used; or there is one. */
    public static final int LATER = 1;

    /** Verdict: the acceptor leaves the job. */
    public static final int LEAVING = 2;

    /** Verdict: the acceptor has taken the initiator for lost. */
    public static final int GIVEN_UP = 3;

    private static final int VERDICT_BYTES = 8;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private ByteBuffer incoming = NOTHING;
    private ByteBuffer outgoing = NOTHING;
    private boolean complete;

    private Handshake() {}

    /**
     * Goes as far as the wire lets it.
     *
     * @return true once the handshake is complete and everything is written
     * @throws IOException if the connection ends, or the other side proves nothing
     */
    public boolean advance(Wire wire) throws IOException {
        while (true) {
            while (outgoing.hasRemaining()) {
                if (wire.write(outgoing) == 0) {
                    return false;
                }
            }
            if (!wire.flush()) {
                return false;
            }
            if (complete) {
                return true;
            }
            while (incoming.hasRemaining()) {
                int count = wire.read(incoming);
                if (count < 0) {
                    throw new EOFException("the connection has ended during the handshake");
                }
                if (count == 0) {
                    return false;
                }
            }
            received(incoming.array(), wire.binding());
        }
    }

    /** Whether there is something to write. */
    public boolean wantsToWrite() {
        return outgoing.hasRemaining();
    }

    /**
     * Goes on.
     *
     * @param binding what the connection has that no other has, see {@link Wire#binding}
     */
    abstract void received(byte[] message, byte[] binding) throws ProtocolException;

    final void expect(int bytes) {
        incoming = ByteBuffer.allocate(bytes);
    }

    final void send(byte[]... parts) {
        outgoing = ByteBuffer.allocate(
                Arrays.stream(parts).mapToInt(part -> part.length).sum());
        for (byte[] part : parts) {
            outgoing.put(part);
        }
        outgoing.flip();
    }

    final void end() {
        complete = true;
    }

    /** The side that has opened the connection. */
    public static final class Initiator extends Handshake {
        private final Transcript transcript;
        private boolean proved;
        private int verdict = -1;

        public Initiator(Authenticator authenticator, Hello hello) {
            byte[] greeting = hello.encode(Authenticator.random());
            this.transcript = new Transcript(authenticator, greeting);
            send(greeting);
            expect(Hello.RANDOM_BYTES + Authenticator.BYTES);
        }

        /** Whether the acceptor may know by now who this is. */
        public boolean hasProved() {
            return proved;
        }

        /** What the acceptor has decided; valid when the handshake is complete. */
        public int verdict() {
            return verdict;
        }

        @Override
        void received(byte[] message, byte[] binding) throws ProtocolException {
            transcript.bindTo(binding);
            if (proved) {
                byte[] decision = heard("verdict", message);
                verdict = ByteBuffer.wrap(decision).order(LITTLE_ENDIAN).getInt();
                end();
            } else {
                byte[] unused = heard("acceptor", message);
                proved = true;
                send(transcript.say("initiator"));
                expect(VERDICT_BYTES + Authenticator.BYTES);
            }
        }

        private byte[] heard(String role, byte[] message) throws WrongProofException {
            byte[] text = Arrays.copyOf(message, message.length - Authenticator.BYTES);
            byte[] proof = Arrays.copyOfRange(message, text.length, message.length);
            if (!transcript.hears(role, proof, text)) {
                throw new WrongProofException();
            }
            return text;
        }
    }

    /** The side that listens. */
    public static final class Acceptor extends Handshake {
        private final Authenticator authenticator;
        private final int rank;
        private final int size;
        private final int round;
        private final ToIntFunction<Hello> decision;
        private @Nullable Transcript transcript;
        private @Nullable Hello hello;
        private int verdict = -1;

        /**
         * The acceptor on a connection that has just come in.
         *
         * @param decision gives the verdict on a peer that has proved itself; called at most once
         */
        public Acceptor(Authenticator authenticator, int rank, int size, int round, ToIntFunction<Hello> decision) {
            this.authenticator = authenticator;
            this.rank = rank;
            this.size = size;
            this.round = round;
            this.decision = decision;
            expect(Hello.BYTES);
        }

        /** Who it was, once there is a verdict. */
        public Hello hello() {
            Hello known = hello;
            if (known == null) {
                throw new IllegalStateException("nobody has said hello yet");
            }
            return known;
        }

        /** What was decided; negative while nothing was. */
        public int verdict() {
            return verdict;
        }

        @Override
        void received(byte[] message, byte[] binding) throws ProtocolException {
            Transcript begun = transcript;
            if (begun == null) {
                Hello known = Hello.decode(message);
                if (known.to() != rank || known.size() != size || known.round() != round) {
                    throw new ProtocolException("it looks for somebody else");
                }
                hello = known;
                begun = new Transcript(authenticator, message);
                begun.bindTo(binding);
                transcript = begun;
                byte[] random = Authenticator.random();
                send(random, begun.say("acceptor", random));
                expect(Authenticator.BYTES);
                return;
            }
            begun.bindTo(binding);
            if (!begun.hears("initiator", message)) {
                throw new WrongProofException();
            }
            verdict = decision.applyAsInt(hello());
            byte[] decided = ByteBuffer.allocate(VERDICT_BYTES)
                    .order(LITTLE_ENDIAN)
                    .putInt(verdict)
                    .array();
            send(decided, begun.say("verdict", decided));
            end();
        }
    }
}
