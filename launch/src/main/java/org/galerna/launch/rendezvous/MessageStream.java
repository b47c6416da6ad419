package org.galerna.launch.rendezvous;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Messages over a pair of byte streams. On the wire a message is the length of what follows (4 bytes), its kind (1), rank
 * (4), number (8) and body, all in big-endian order. Any thread may write; one thread reads.
 */
public final class MessageStream implements AutoCloseable {
    /** Version of the protocol: what changes the bytes or their meaning changes this. */
    public static final String VERSION = "galerna-8";

    /** Longest message that is accepted, in bytes. */
    public static final int LONGEST = 64 << 20;

    private static final int HEADER = 1 + Integer.BYTES + Long.BYTES;

    private final DataInputStream in;
    private final OutputStream out;
    private final Closeable closeable;
    private final ReentrantLock writing = new ReentrantLock();

    /**
     * Messages over two streams.
     *
     * @param closeable what {@link #close} closes
     */
    public MessageStream(InputStream in, OutputStream out, Closeable closeable) {
        this.in = new DataInputStream(new BufferedInputStream(in));
        this.out = out;
        this.closeable = closeable;
    }

    /** A message as it is on the wire. */
    public static byte[] encode(Message message) {
        int length = HEADER + message.body().length;
        return ByteBuffer.allocate(Integer.BYTES + length)
                .putInt(length)
                .put(message.kind().code())
                .putInt(message.rank())
                .putLong(message.number())
                .put(message.body())
                .array();
    }

    /**
     * The first message of some bytes, as {@link #encode} has made it; null if it is not complete.
     *
     * @param longest most bytes that it may have
     * @throws IOException if it is no message, or a longer one
     */
    public static @Nullable Message decode(ByteBuffer bytes, int longest) throws IOException {
        if (bytes.remaining() < Integer.BYTES) {
            return null;
        }
        int length = bytes.getInt(bytes.position());
        check(length, longest);
        if (bytes.remaining() < Integer.BYTES + length) {
            return null;
        }
        bytes.getInt();
        Kind kind = kind(bytes.get());
        int rank = bytes.getInt();
        long number = bytes.getLong();
        byte[] body = new byte[length - HEADER];
        bytes.get(body);
        return new Message(kind, rank, number, body);
    }

    private static void check(int length, int longest) throws IOException {
        if (length < HEADER || length > longest) {
            throw new IOException("a message of " + length + " bytes, it has " + HEADER + " to " + longest);
        }
    }

    private static Kind kind(int number) throws IOException {
        Kind kind = Kind.of(number);
        if (kind == null) {
            throw new IOException("a message of unknown kind " + number);
        }
        return kind;
    }

    /** Writes a message; blocks while the other side does not read. */
    public void write(Message message) throws IOException {
        write(encode(message));
    }

    /** Writes a message that {@link #encode} has made; blocks while the other side does not read. */
    public void write(byte[] frame) throws IOException {
        writing.lock();
        try {
            out.write(frame);
            out.flush();
        } finally {
            writing.unlock();
        }
    }

    /**
     * Waits for the next message; null once the other side has closed its stream between two of them.
     *
     * @throws IOException also for bytes that are no message
     */
    public @Nullable Message read() throws IOException {
        int first = in.read();
        if (first < 0) {
            return null;
        }
        int length = first << 24;
        for (int shift = 16; shift >= 0; shift -= 8) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("the stream ends in the middle of a message");
            }
            length |= next << shift;
        }
        check(length, LONGEST);
        Kind kind = kind(in.readByte());
        int rank = in.readInt();
        long value = in.readLong();
        byte[] body = in.readNBytes(length - HEADER); // as much memory as has come, whatever the length says
        if (body.length < length - HEADER) {
            throw new EOFException("the stream ends in the middle of a message");
        }
        return new Message(kind, rank, value, body);
    }

    @Override
    public void close() throws IOException {
        closeable.close();
    }
}
