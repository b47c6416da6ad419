package org.galerna.link.tcp.handshake;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.nio.ByteBuffer;
import org.galerna.link.tcp.wire.ProtocolException;
import org.galerna.link.tcp.wire.Security;

/**
 * The first message of a handshake: who wants what from whom.
 *
 * <pre>
 *    0  +-------------------------------------------+
 *       | magic (8)                                 |
 *    8  +-------------+-----------+-----+-----------+
 *       | version (2) | purpose(1)| 0(1)| round (4) |
 *   16  +-------------+-----------+-----+-----------+
 *       | from (4)                | to (4)          |
 *   24  +-------------------------+-----------------+
 *       | ranks of the job (4)    | subject (4)     |
 *   32  +-------------------------+-----------------+
 *       | random bytes (32)                         |
 *       +-------------------------------------------+
 * </pre>
 *
 * @param purpose {@link #CONNECT}, {@link #GOODBYE}, {@link #LOST}, {@link #ROUSE}, {@link #GATHERED} or {@link #ALL_LEAVE}
 * @param round which attachment of the rank's this is, from 0
 * @param from rank that opens the connection
 * @param to rank that it is opened to
 * @param size ranks of the job
 * @param subject the rank that is lost; of a connection its number, see
 *     {@link org.galerna.link.tcp.stream.Connection}; 0 for other purposes
 */
public record Hello(int purpose, int round, int from, int to, int size, int subject) {
    static final long MAGIC = 0x0a0d_414e_5245_4c41L; // "ALERN", then two bytes that text protocols mangle
    static final int VERSION = 1;

    /** The first two bytes of TLS: a handshake, version 3. */
    private static final long TLS_HANDSHAKE = 0x0316;

    private static final long TLS_MASK = 0xffff;

    /** The connection is to be used. */
    public static final int CONNECT = 1;

    /** The sender leaves the job; it has never had anything to say to the receiver. */
    public static final int GOODBYE = 2;

    /** Another rank is lost. */
    public static final int LOST = 3;

    /** The receiver is to look at what has come for it. */
    public static final int ROUSE = 4;

    /** The sender leaves the job, as {@link #GOODBYE}, and so do all ranks below it in a tree. */
    public static final int GATHERED = 5;

    /** The sender leaves the job, as {@link #GOODBYE}, and so do all ranks. */
    public static final int ALL_LEAVE = 6;

    static final int RANDOM_BYTES = 32;
    static final int BYTES = 64;

    /**
     * The message.
     *
     * @param random fresh bytes, {@value #RANDOM_BYTES} of them
     */
    public byte[] encode(byte[] random) {
        return ByteBuffer.allocate(BYTES)
                .order(LITTLE_ENDIAN)
                .putLong(MAGIC)
                .putShort((short) VERSION)
                .put((byte) purpose)
                .put((byte) 0)
                .putInt(round)
                .putInt(from)
                .putInt(to)
                .putInt(size)
                .putInt(subject)
                .put(random)
                .array();
    }

    /**
     * Reads a message of {@value #BYTES} bytes.
     *
     * @throws ProtocolException if it is none of this version
     */
    static Hello decode(byte[] message) throws ProtocolException {
        ByteBuffer bytes = ByteBuffer.wrap(message).order(LITTLE_ENDIAN);
        long magic = bytes.getLong();
        if (magic == Long.reverseBytes(MAGIC)) {
            throw new ProtocolException("its bytes are in the other order");
        }
        if ((magic & TLS_MASK) == TLS_HANDSHAKE) {
            throw new ProtocolException("it speaks TLS, and this side does not; " + Security.PROPERTY
                    + " has to be the same on both sides");
        }
        if (magic != MAGIC) {
            throw new ProtocolException("it speaks another protocol");
        }
        int version = bytes.getShort();
        if (version != VERSION) {
            throw new ProtocolException("it speaks version " + version + " of the protocol, not " + VERSION
                    + "; all ranks of a job need the same version of Galerna");
        }
        int purpose = bytes.get();
        int unused = bytes.get();
        Hello hello =
                new Hello(purpose, bytes.getInt(), bytes.getInt(), bytes.getInt(), bytes.getInt(), bytes.getInt());
        if (unused != 0 || purpose < CONNECT || purpose > ALL_LEAVE || !hello.namesRanks()) {
            throw new ProtocolException("its greeting makes no sense");
        }
        return hello;
    }

    /** Whether the sender leaves. */
    public static boolean isGoodbye(int purpose) {
        return purpose == GOODBYE || isOfAll(purpose);
    }

    /** Whether it is about others that leave, too. */
    public static boolean isOfAll(int purpose) {
        return purpose == GATHERED || purpose == ALL_LEAVE;
    }

    // by code of their own: what the JDK makes for a record is made anew in each process, when a rank is gone by all
    // others at once
    @Override
    public boolean equals(Object other) {
        return other instanceof Hello hello
                && purpose == hello.purpose
                && round == hello.round
                && from == hello.from
                && to == hello.to
                && size == hello.size
                && subject == hello.subject;
    }

    @Override
    public int hashCode() {
        int ranks = (from * 31 + to) * 31 + subject;
        return ((ranks * 31 + round) * 31 + size) * 31 + purpose;
    }

    private boolean namesRanks() {
        return isRank(from)
                && isRank(to)
                && (purpose == CONNECT ? subject >= 0 : isRank(subject))
                && from != to
                && round >= 0;
    }

    private boolean isRank(int number) {
        return number >= 0 && number < size;
    }
}
