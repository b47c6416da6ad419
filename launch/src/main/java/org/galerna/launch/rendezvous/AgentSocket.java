package org.galerna.launch.rendezvous;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.galerna.nativeaccess.socket.UnixSocket;

/**
 * The bytes between the process of a rank and the agent of its host. One thread receives, another one may send meanwhile. Threads
 * of the program send, and they may be interrupted: that ends nothing here, and whoever has to wait for room waits outside.
 */
sealed interface AgentSocket {
    /** Between looks at a socket that has nothing to receive, or no room. */
    long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /**
     * Takes what has come.
     *
     * @param wait whether to wait in the system until something comes
     * @return number of bytes; 0 if nothing has come, which only if it does not wait; -1 at the end
     */
    int receive(byte[] bytes, int offset, int length, boolean wait) throws IOException;

    /**
     * Sends what there is room for now.
     *
     * @return number of bytes
     */
    int send(byte[] bytes, int offset, int length) throws IOException;

    /**
     * Connects to the socket of an agent.
     *
     * @throws IOException if nobody listens there
     */
    static AgentSocket to(Path socket) throws IOException {
        return UnixSocket.isUsable() ? new OfSocket(UnixSocket.connect(socket)) : OfChannel.to(socket);
    }

    /** What ranks on Linux take: it is there at once. */
    record OfSocket(UnixSocket socket) implements AgentSocket {
        @Override
        public int receive(byte[] bytes, int offset, int length, boolean wait) throws IOException {
            return socket.receive(bytes, offset, length, wait);
        }

        @Override
        public int send(byte[] bytes, int offset, int length) throws IOException {
            return socket.send(bytes, offset, length);
        }
    }

    /**
     * What every system has. An interrupt closes a channel that blocks, and the process would take that for the loss of its agent.
     * So the channel never blocks, and the receiving thread waits in a selector.
     */
    record OfChannel(SocketChannel channel, Selector readable) implements AgentSocket {
        static OfChannel to(Path socket) throws IOException {
            SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            channel.connect(UnixDomainSocketAddress.of(socket));
            channel.configureBlocking(false);
            Selector readable = channel.provider().openSelector();
            channel.register(readable, SelectionKey.OP_READ);
            return new OfChannel(channel, readable);
        }

        @Override
        public int receive(byte[] bytes, int offset, int length, boolean wait) throws IOException {
            ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, length);
            int count = channel.read(buffer);
            while (count == 0 && wait) {
                boolean unused = Thread.interrupted(); // no wait lasts while the thread is interrupted
                readable.select(key -> {});
                count = channel.read(buffer);
            }
            return count;
        }

        @Override
        public int send(byte[] bytes, int offset, int length) throws IOException {
            return channel.write(ByteBuffer.wrap(bytes, offset, length));
        }
    }
}
