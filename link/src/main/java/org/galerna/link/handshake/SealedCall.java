package org.galerna.link.handshake;

import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A connection between two processes that prove a key to each other. What they say afterwards is sealed, as
 *
 * <pre>
 *     length (4), sealed bytes                       until one of them closes
 * </pre>
 *
 * <p>Until both have proved the key, messages have fixed lengths, and nothing is allocated by what a stranger says. Whatever is
 * not said in time ends the call. Used by one thread; once the key is proved, one thread at a time sends, and another may receive.
 */
public abstract class SealedCall implements SecureLine {
    private static final int LONGEST = 64 * 1024;

    private final Socket socket;
    private final String purpose;
    private long deadline;
    private String name = "";
    private @Nullable AeadSession session; // once both have proved the key, as the next one
    private @Nullable Authenticator authenticator;

    /**
     * Nothing is proved.
     *
     * @param purpose what the two talk about, for proofs
     * @param deadline as of {@link System#nanoTime}
     */
    protected SealedCall(Socket socket, String purpose, long deadline) throws IOException {
        this.socket = socket;
        this.purpose = purpose;
        this.deadline = deadline;
        socket.setTcpNoDelay(true);
    }

    protected final Socket socket() {
        return socket;
    }

    // ---- before the key is proved

    /** Says something, in one packet if it is short. */
    protected final void write(byte[]... parts) throws IOException {
        int bytes = Arrays.stream(parts).mapToInt(part -> part.length).sum();
        ByteBuffer all = ByteBuffer.allocate(bytes);
        for (byte[] part : parts) {
            all.put(part);
        }
        socket.getOutputStream().write(all.array());
    }

    /** Waits for so many bytes. */
    protected final byte[] read(int bytes) throws IOException {
        byte[] message = new byte[bytes];
        for (int have = 0; have < bytes; ) {
            long left = TimeUnit.NANOSECONDS.toMillis(remainingNanos());
            if (left <= 0) {
                throw new SocketTimeoutException("the other side has not answered in time");
            }
            // again before each part: one that says a byte a second does not get more time
            socket.setSoTimeout((int) Math.min(left, Integer.MAX_VALUE));
            int count = socket.getInputStream().read(message, have, bytes - have);
            if (count < 0) {
                throw new EOFException("the other side has closed the connection");
            }
            have += count;
        }
        return message;
    }

    /** Waits for the proof of what the other side has said in its role; whether it holds. */
    protected final boolean hears(Transcript transcript, String role, byte[]... message) throws IOException {
        return transcript.hears(role, read(Authenticator.BYTES), message);
    }

    /**
     * Both have proved the key.
     *
     * @param key of this call alone
     * @param caller whether this is the side that has called
     */
    protected final void proved(byte[] key, boolean caller) {
        Authenticator made = new Authenticator(purpose, key);
        authenticator = made;
        name = HexFormat.of().formatHex(made.of("name"), 0, 8);
        session = new AeadSession(key, caller);
    }

    // ---- afterwards

    private static <T> T proved(@Nullable T value) {
        return Objects.requireNonNull(value, "nobody has proved the key yet");
    }

    /** Makes proofs with the key of this call. */
    protected final Authenticator authenticator() {
        return proved(authenticator);
    }

    /** Something that both have and that no other call has: names what they open. */
    public final String name() {
        return name;
    }

    /** The other end, for messages. */
    public final String peer() {
        return String.valueOf(socket.getRemoteSocketAddress());
    }

    /** How long there still is to say what is to be said, in nanoseconds. */
    public final long remainingNanos() {
        return deadline - System.nanoTime();
    }

    /** Gives what is said from now on so many nanoseconds, unless it has more already. By the thread that speaks. */
    public final void extend(long nanos) {
        long later = System.nanoTime() + nanos;
        if (later - deadline > 0) {
            deadline = later;
        }
    }

    @Override
    public final void send(byte[] message) throws IOException {
        byte[] sealed = proved(session).seal(message);
        write(ByteBuffer.allocate(Integer.BYTES).putInt(sealed.length).array(), sealed);
    }

    @Override
    public final boolean hasMessage() throws IOException {
        return socket.getInputStream().available() > 0;
    }

    @Override
    public final byte[] receive() throws IOException {
        int length = ByteBuffer.wrap(read(Integer.BYTES)).getInt();
        if (length < AeadSession.TAG_BYTES || length > LONGEST) {
            throw new ProtocolException("a sealed message has " + length + " bytes");
        }
        return proved(session).open(read(length));
    }

    @Override
    public final void close() {
        try {
            socket.close();
        } catch (IOException closedAnyway) {
            // nothing of it is used any more
        }
    }
}
