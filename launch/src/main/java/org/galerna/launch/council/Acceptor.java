package org.galerna.launch.council;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.galerna.launch.rendezvous.FieldReader;
import org.galerna.launch.rendezvous.FieldWriter;
import org.galerna.launch.rendezvous.Kind;
import org.galerna.launch.rendezvous.Message;
import org.galerna.link.handshake.Authenticator;
import org.galerna.link.handshake.Transcript;
import org.jspecify.annotations.Nullable;

/** Where other processes of the job call, and prove themselves. Used by one thread, but for {@link #place}. */
final class Acceptor {
    private static final int MOST_STRANGERS = 64;
    private static final long PATIENCE_NANOS = Duration.ofSeconds(5).toNanos();

    private final ServerSocketChannel listener;
    private final int ranks;
    private final List<Stranger> strangers = new ArrayList<>();

    private Acceptor(ServerSocketChannel listener, int ranks) {
        this.listener = listener;
        this.ranks = ranks;
    }

    /** A door of a process of a job of so many ranks. */
    static Acceptor open(int ranks) throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress(0), ranks);
        listener.configureBlocking(false);
        return new Acceptor(listener, ranks);
    }

    Place place() throws IOException {
        return Place.here(((InetSocketAddress) listener.getLocalAddress()).getPort());
    }

    /** A connection on which nobody has proved anything yet. */
    private static final class Stranger {
        private final Line line;
        private final long since = System.nanoTime();
        private int rank = -1;
        private @Nullable Transcript transcript; // once it has said its rank

        Stranger(Line line) {
            this.line = line;
        }
    }

    /**
     * Lets in those who have come.
     *
     * @param key the job's key, asked for when somebody comes
     * @param welcome gets the rank and the line of each who has proved itself
     */
    void look(Supplier<byte[]> key, BiConsumer<Integer, Line> welcome) {
        try {
            for (SocketChannel channel = listener.accept(); channel != null; channel = listener.accept()) {
                if (strangers.size() < MOST_STRANGERS) {
                    strangers.add(new Stranger(new Line(channel)));
                } else {
                    channel.close();
                }
            }
        } catch (IOException noMore) {
            // those that are here are looked at all the same
        }
        strangers.removeIf(stranger -> isDone(stranger, key, welcome));
    }

    private boolean isDone(Stranger stranger, Supplier<byte[]> key, BiConsumer<Integer, Line> welcome) {
        try {
            for (Message message = stranger.line.receive(); message != null; message = stranger.line.receive()) {
                if (hears(stranger, message, key.get())) {
                    stranger.line.trust();
                    welcome.accept(stranger.rank, stranger.line);
                    return true;
                }
            }
            if (System.nanoTime() - stranger.since < PATIENCE_NANOS) {
                return false;
            }
        } catch (IOException | IllegalArgumentException nobodyOfTheJob) {
            // nothing is to be said to it
        }
        stranger.line.close();
        return true;
    }

    /** Whether the stranger has proved itself. */
    private boolean hears(Stranger stranger, Message message, byte[] key) throws IOException {
        FieldReader fields = message.fields();
        Transcript transcript = stranger.transcript;
        if (message.kind() == Kind.HELLO && transcript == null && message.rank() >= 0 && message.rank() < ranks) {
            stranger.rank = message.rank();
            transcript = Line.transcript(key, stranger.rank, fields.bytes());
            stranger.transcript = transcript;
            byte[] own = Authenticator.random();
            stranger.line.send(Message.of(
                    Kind.WELCOME,
                    stranger.rank,
                    0,
                    new FieldWriter().bytes(own).bytes(transcript.say(Line.ANSWERS, own))));
            return false;
        }
        if (message.kind() != Kind.JOINED || transcript == null || !transcript.hears(Line.CALLS, fields.bytes())) {
            throw new IOException("no process of the job");
        }
        return true;
    }
}
