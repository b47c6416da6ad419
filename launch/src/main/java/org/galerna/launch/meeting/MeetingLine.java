package org.galerna.launch.meeting;

import java.io.IOException;
import java.net.ProtocolException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.galerna.link.handshake.Authenticator;
import org.galerna.link.handshake.SealedCall;
import org.galerna.link.handshake.Transcript;

/**
 * A connection to rank 0, and what is said on it once both sides have proved the secret. Any thread may send; one receives.
 *
 * <p>The caller says which version it speaks, its rank, and random bytes; the other side answers with some of its own and its
 * proof; then the caller proves itself.
 */
final class MeetingLine extends SealedCall {
    private static final int VERSION = 0x474d0001;
    private static final String PURPOSE = "galerna meeting";
    private static final String ANSWERS = "answers";
    private static final String CALLS = "calls";
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** As long as a job may last. */
    private static final long FOR_GOOD_NANOS = TimeUnit.DAYS.toNanos(10_000);

    private final int rank;
    private final ReentrantLock sending = new ReentrantLock();

    private MeetingLine(Socket socket, int rank) throws IOException {
        super(socket, PURPOSE, System.nanoTime() + PATIENCE_NANOS);
        this.rank = rank;
    }

    private static byte[] hello(int rank) {
        return ByteBuffer.allocate(2 * Integer.BYTES)
                .putInt(VERSION)
                .putInt(rank)
                .array();
    }

    /** Proves the secret to rank 0; closes the socket where that fails. */
    static MeetingLine call(Socket socket, int rank, byte[] secret) throws IOException {
        try {
            MeetingLine line = new MeetingLine(socket, rank);
            byte[] hello = hello(rank);
            byte[] own = Authenticator.random();
            line.write(hello, own);
            byte[] theirs = line.read(Authenticator.RANDOM_BYTES);
            Transcript transcript = new Transcript(new Authenticator(PURPOSE, secret), hello, own);
            if (!line.hears(transcript, ANSWERS, theirs)) {
                throw new ProtocolException("another process listens there");
            }
            line.write(transcript.say(CALLS));
            line.proved(transcript.key(), true);
            line.extend(FOR_GOOD_NANOS);
            return line;
        } catch (IOException failed) {
            socket.close();
            throw failed;
        }
    }

    /** Lets the caller prove the secret; closes the socket where it does not. */
    static MeetingLine answer(Socket socket, byte[] secret) throws IOException {
        try {
            ByteBuffer words = ByteBuffer.allocate(2 * Integer.BYTES);
            MeetingLine unknown = new MeetingLine(socket, -1);
            words.put(unknown.read(words.capacity())).flip();
            if (words.getInt() != VERSION) {
                throw new ProtocolException("not a process of this version of Galerna");
            }
            int rank = words.getInt();
            MeetingLine line = new MeetingLine(socket, rank);
            byte[] hello = hello(rank);
            byte[] theirs = line.read(Authenticator.RANDOM_BYTES);
            byte[] own = Authenticator.random();
            Transcript transcript = new Transcript(new Authenticator(PURPOSE, secret), hello, theirs);
            line.write(own, transcript.say(ANSWERS, own));
            if (!line.hears(transcript, CALLS)) {
                throw new ProtocolException("a process that does not know the secret");
            }
            line.proved(transcript.key(), false);
            line.extend(FOR_GOOD_NANOS);
            return line;
        } catch (IOException failed) {
            socket.close();
            throw failed;
        }
    }

    /** Who has called. */
    int rank() {
        return rank;
    }

    void say(Notice notice) throws IOException {
        sending.lock();
        try {
            send(notice.encode());
        } finally {
            sending.unlock();
        }
    }

    /** As {@link #say}, unless somebody else speaks for longer. */
    void sayBriefly(Notice notice, long nanos) throws IOException, InterruptedException {
        if (sending.tryLock(nanos, TimeUnit.NANOSECONDS)) {
            try {
                send(notice.encode());
            } finally {
                sending.unlock();
            }
        }
    }

    Notice hear() throws IOException {
        return Notice.decode(receive());
    }
}
