package org.galerna.launch.rendezvous;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import org.galerna.nativeaccess.socket.UnixListener;
import org.galerna.nativeaccess.socket.UnixSocket;

/** Where the processes of ranks connect to their agent. One thread accepts. */
public sealed interface AgentListener {
    /**
     * Waits for the next process.
     *
     * @throws IOException if none can come, since this is stopped
     */
    MessageStream accept() throws IOException;

    /** No process can come from now on; conversations go on. Any thread may call, more than once. */
    void stop();

    /**
     * Listens at a path, where a file appears, which is the caller's to remove.
     *
     * @throws IOException if that cannot be
     */
    static AgentListener at(Path socket) throws IOException {
        return UnixSocket.isUsable() ? new OfSocket(UnixListener.open(socket)) : OfChannel.at(socket);
    }

    /** What Linux has: it is there at once. */
    record OfSocket(UnixListener socket) implements AgentListener {
        @Override
        public MessageStream accept() throws IOException {
            UnixSocket connection = socket.accept();
            AgentSocket guest = new AgentSocket.OfSocket(connection);
            return new MessageStream(new AgentInput(guest), new AgentOutput(guest), connection::close);
        }

        @Override
        public void stop() {
            socket.stop();
        }
    }

    /** What every system has. */
    record OfChannel(ServerSocketChannel channel) implements AgentListener {
        static OfChannel at(Path socket) throws IOException {
            ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            channel.bind(UnixDomainSocketAddress.of(socket));
            return new OfChannel(channel);
        }

        @Override
        public MessageStream accept() throws IOException {
            SocketChannel guest = channel.accept();
            return new MessageStream(Channels.newInputStream(guest), Channels.newOutputStream(guest), guest);
        }

        @Override
        public void stop() {
            try {
                channel.close();
            } catch (IOException closed) {
                // then it is
                return;
            }
        }
    }
}
