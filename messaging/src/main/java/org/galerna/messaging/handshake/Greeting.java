package org.galerna.messaging.handshake;

import java.net.ProtocolException;
import java.nio.ByteBuffer;

/**
 * The first message of a node that calls another one.
 *
 * <pre>
 *    0  magic (8)
 *    8  version (2) | from (2) | to (2), 65535 for any | purpose (2), see {@link Purpose}
 *   16  incarnation of the caller (8), 0 for a stream
 *   24  random bytes (32), of a stream its token
 * </pre>
 *
 * @param from node that calls
 * @param to node that it wants; {@link #ANY} if it is not known which one is called
 * @param purpose what for
 * @param incarnation which start of the caller this is; later ones have greater numbers
 */
public record Greeting(int from, int to, Purpose purpose, long incarnation) {
    static final long MAGIC = 0x0a0d_4753_4d4c_4147L; // "GALMSG", then two bytes that text protocols mangle
    static final int VERSION = 4;
    static final int RANDOM_BYTES = 32;
    static final int BYTES = 24 + RANDOM_BYTES;
    private static final int REFUSAL_BYTES = Long.BYTES + RANDOM_BYTES + 32;
    static final int MOST_NODE = 65_534;
    private static final int ANY = 65_535;
    private static final Purpose[] PURPOSES = Purpose.values();

    /** What a node calls another one for. */
    public enum Purpose {
        /** To open a link. */
        LINK(0),

        /** To tell each other what both know about nodes. */
        DISCOVERY(1),

        /** To hand the connection itself to a link that the two are opening: no proof follows but the link's own. */
        STREAM(2);

        private final int number;

        Purpose(int number) {
            this.number = number;
        }
    }

    /** Of a node that wants a link to another one. */
    public static Greeting ofLink(int from, int to, long incarnation) {
        return new Greeting(from, to, Purpose.LINK, incarnation);
    }

    /** Of a node that wants to know where others are. */
    public static Greeting ofDiscovery(int from, long incarnation) {
        return new Greeting(from, ANY, Purpose.DISCOVERY, incarnation);
    }

    /** Of a connection of a link that two nodes are opening. */
    static Greeting ofStream(int from, int to) {
        return new Greeting(from, to, Purpose.STREAM, 0);
    }

    /**
     * The message.
     *
     * @param random fresh bytes, or the token of a stream; {@value #RANDOM_BYTES} of them
     */
    byte[] encode(byte[] random) {
        return ByteBuffer.allocate(BYTES)
                .putLong(MAGIC)
                .putShort((short) VERSION)
                .putShort((short) from)
                .putShort((short) to)
                .putShort((short) purpose.number)
                .putLong(incarnation)
                .put(random)
                .array();
    }

    /** The other side speaks another version of the protocol. */
    public static final class VersionException extends ProtocolException {
        private static final long serialVersionUID = 1L;

        private final boolean awaitsAnswer;

        VersionException(int version, boolean awaitsAnswer) {
            super("it speaks version " + version + " of the protocol, and this node version " + VERSION);
            this.awaitsAnswer = awaitsAnswer;
        }

        /** Whether a caller waits for an answer. */
        boolean awaitsAnswer() {
            return awaitsAnswer;
        }
    }

    /**
     * What a caller of another version is answered, in place of an answer with a proof: the magic and the version, and
     * zeros. Nobody has proved anything; a stranger who says this keeps the caller away as he could by saying nothing.
     */
    static byte[] refusal() {
        return ByteBuffer.allocate(REFUSAL_BYTES)
                .putLong(MAGIC)
                .putShort((short) VERSION)
                .array();
    }

    /** Fails if an answer begins as a refusal does. */
    static void checkRefusal(byte[] answer) throws VersionException {
        ByteBuffer bytes = ByteBuffer.wrap(answer);
        if (bytes.getLong() == MAGIC) { // as an incarnation it would be of a time in 500,000 years
            throw new VersionException(bytes.getShort(), false);
        }
    }

    static Greeting decode(byte[] message) throws ProtocolException {
        ByteBuffer bytes = ByteBuffer.wrap(message);
        if (bytes.getLong() != MAGIC) {
            throw new ProtocolException("it speaks another protocol");
        }
        int version = bytes.getShort();
        int from = Short.toUnsignedInt(bytes.getShort());
        int to = Short.toUnsignedInt(bytes.getShort());
        int purpose = Short.toUnsignedInt(bytes.getShort());
        if (version != VERSION) {
            throw new VersionException(version, purpose != Purpose.STREAM.number);
        }
        if (purpose >= PURPOSES.length
                || (PURPOSES[purpose] == Purpose.DISCOVERY) != (to == ANY)
                || from == to
                || from > MOST_NODE) {
            throw new ProtocolException("its greeting makes no sense");
        }
        return new Greeting(from, to, PURPOSES[purpose], bytes.getLong());
    }
}
