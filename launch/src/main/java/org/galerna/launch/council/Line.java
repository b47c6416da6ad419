package org.galerna.launch.council;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import org.galerna.launch.rendezvous.FieldReader;
import org.galerna.launch.rendezvous.FieldWriter;
import org.galerna.launch.rendezvous.Kind;
import org.galerna.launch.rendezvous.Message;
import org.galerna.launch.rendezvous.MessageStream;
import org.galerna.link.handshake.Authenticator;
import org.galerna.link.handshake.Transcript;
import org.jspecify.annotations.Nullable;

/**
 * A connection between two processes of the job. Never blocks for longer than {@link #LONGEST}: whoever looks at it has a
 * rank to look at as well. Used by one thread.
 *
 * <p>The caller says {@code HELLO} with random bytes; the other one answers {@code WELCOME} with some of its own and its
 * proof; the caller proves itself by {@code JOINED}. Before that, messages are short.
 */
final class Line implements AutoCloseable {
    private static final Duration LONGEST = Duration.ofSeconds(2);
    private static final long PAUSE_NANOS = Duration.ofMillis(1).toNanos();
    /** Role of the process that has opened the connection. */
    static final String CALLS = "calls";

    /** Role of the other one. */
    static final String ANSWERS = "answers";

    private static final int LONGEST_OF_STRANGERS = 256;
    private static final int FIRST_ROOM = 1024;

    private final SocketChannel channel;
    private ByteBuffer incoming = ByteBuffer.allocate(FIRST_ROOM).limit(0);
    private int longest = LONGEST_OF_STRANGERS;

    /** A connection that is open. */
    Line(SocketChannel channel) throws IOException {
        this.channel = channel;
        channel.configureBlocking(false);
    }

    /** Calls another process, and proves the key. */
    static Line call(InetSocketAddress address, byte[] key, int caller) throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            channel.socket().connect(address, (int) LONGEST.toMillis());
            Line line = new Line(channel);
            byte[] own = Authenticator.random();
            line.send(Message.of(Kind.HELLO, caller, 0, new FieldWriter().bytes(own)));
            Message welcome = line.await();
            FieldReader fields = welcome.fields();
            byte[] theirs = fields.bytes();
            Transcript transcript = transcript(key, caller, own);
            if (welcome.kind() != Kind.WELCOME || !transcript.hears(ANSWERS, fields.bytes(), theirs)) {
                throw new IOException("another process than one of the job listens there");
            }
            line.send(Message.of(Kind.JOINED, caller, 0, new FieldWriter().bytes(transcript.say(CALLS))));
            line.trust();
            return line;
        } catch (IOException | IllegalArgumentException failed) {
            channel.close();
            throw failed instanceof IOException known ? known : new IOException(failed);
        }
    }

    /**
     * The beginning of a conversation in which both prove that they know the job's key.
     *
     * @param caller rank of the process that has opened the connection
     * @param random bytes of that process
     */
    static Transcript transcript(byte[] key, int caller, byte[] random) {
        byte[] rank = ByteBuffer.allocate(Integer.BYTES).putInt(caller).array();
        return new Transcript(new Authenticator("galerna council", key), rank, random);
    }

    /** From now on messages may be long. */
    void trust() {
        longest = MessageStream.LONGEST;
    }

    void send(Message message) throws IOException {
        ByteBuffer frame = ByteBuffer.wrap(MessageStream.encode(message));
        long start = System.nanoTime();
        while (channel.write(frame) >= 0 && frame.hasRemaining()) {
            pause(start);
        }
    }

    private Message await() throws IOException {
        long start = System.nanoTime();
        Message message = receive();
        while (message == null) {
            pause(start);
            message = receive();
        }
        return message;
    }

    private static void pause(long start) throws IOException {
        if (System.nanoTime() - start > LONGEST.toNanos()) {
            throw new IOException("the other process does not go on");
        }
        LockSupport.parkNanos(PAUSE_NANOS);
    }

    /**
     * The next message; null if none is complete yet.
     *
     * @throws EOFException if the other process has ended
     */
    @Nullable
    Message receive() throws IOException {
        Message message = MessageStream.decode(incoming, longest);
        while (message == null) {
            incoming.compact();
            if (!incoming.hasRemaining()) {
                incoming = ByteBuffer.wrap(Arrays.copyOf(incoming.array(), 2 * incoming.capacity()))
                        .position(incoming.position());
            }
            int count = channel.read(incoming);
            incoming.flip();
            if (count < 0) {
                throw new EOFException("the other process has ended");
            }
            if (count == 0) {
                return null;
            }
            message = MessageStream.decode(incoming, longest);
        }
        return message;
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException unusable) {
            // it is not used any more
            return;
        }
    }
}
