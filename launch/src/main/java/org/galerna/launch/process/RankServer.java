package org.galerna.launch.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.galerna.launch.rendezvous.AgentListener;
import org.galerna.launch.rendezvous.Kind;
import org.galerna.launch.rendezvous.Message;
import org.galerna.launch.rendezvous.MessageStream;
import org.galerna.link.process.TemporaryFolder;

/**
 * Where the processes of ranks find the agent of their host: a UNIX-domain socket in a folder that only this user may
 * enter. The folder is gone as soon as all processes are there.
 */
final class RankServer implements AutoCloseable {
    /** Longest path that the address of such a socket can hold everywhere, in bytes. */
    private static final int LONGEST_PATH = 100;

    private static final String KIND = "agent";
    private static final String NAME = "ranks";

    private final TemporaryFolder folder;
    private final Path socket;
    private final AgentListener listener;
    private final Guests guests;

    /** What becomes of those who come. */
    interface Guests {
        /** A process has come; its first rank, as it says. False if it is not expected. */
        boolean welcome(int rank, MessageStream stream) throws IOException;

        /** A message of such a process. */
        void heard(Message message, MessageStream stream) throws IOException;
    }

    private RankServer(TemporaryFolder folder, Path socket, AgentListener listener, Guests guests) {
        this.folder = folder;
        this.socket = socket;
        this.listener = listener;
        this.guests = guests;
    }

    static RankServer open(Guests guests) throws IOException {
        TemporaryFolder folder = folder();
        Path socket = folder.path().resolve(NAME);
        RankServer server = new RankServer(folder, socket, AgentListener.at(socket), guests);
        Background.start("galerna-accept", server::accept);
        return server;
    }

    private static TemporaryFolder folder() throws IOException {
        TemporaryFolder folder = TemporaryFolder.makeIn(TemporaryFolder.parent(), KIND);
        if (folder.path().toString().length() + NAME.length() < LONGEST_PATH) {
            return folder;
        }
        folder.close();
        return TemporaryFolder.makeIn(Path.of("/tmp"), KIND);
    }

    /** Removes what killed processes have left where this one makes its folders. */
    void sweep() {
        Path parent = Objects.requireNonNull(folder.path().getParent());
        TemporaryFolder.removeStale(parent);
        if (!parent.equals(TemporaryFolder.parent())) {
            TemporaryFolder.removeStale(TemporaryFolder.parent());
        }
    }

    /** Where it listens. */
    Path socket() {
        return socket;
    }

    private void accept() {
        try {
            while (true) {
                MessageStream stream = listener.accept();
                Background.start("galerna-rank", () -> listen(stream));
            }
        } catch (IOException closed) {
            // by close: nobody else is expected
            return;
        }
    }

    private void listen(MessageStream stream) {
        try (stream) {
            Message hello = stream.read();
            if (hello == null || hello.kind() != Kind.HELLO || !hello.text().equals(MessageStream.VERSION)) {
                return;
            }
            if (!guests.welcome(hello.rank(), stream)) {
                return;
            }
            for (Message message = stream.read(); message != null; message = stream.read()) {
                guests.heard(message, stream);
            }
        } catch (IOException | IllegalArgumentException broken) {
            // how the process ends is what counts, and its agent gets to know that
            return;
        }
    }

    /** Nobody else can come; conversations go on. */
    @Override
    public void close() {
        listener.stop();
        folder.close();
    }

    /** Removes a socket and its folder, whoever is left to do so. */
    static void remove(Path socket) {
        TemporaryFolder.remove(Objects.requireNonNull(socket.toAbsolutePath().getParent()));
    }
}
