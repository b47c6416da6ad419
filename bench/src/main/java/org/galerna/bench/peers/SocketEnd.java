package org.galerna.bench.peers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import org.galerna.bench.suite.ContenderServer;

/** An end of a blocking socket: what JVM programs use when they have nothing better. */
final class SocketEnd implements MessageEnd {
    private static final byte FILLING = 'a';

    private final SocketChannel channel;
    private ByteBuffer buffer = ByteBuffer.allocateDirect(0);

    SocketEnd(SocketChannel channel) {
        this.channel = channel;
    }

    /**
     * The process of the peers {@code sockets} and {@code unix}: two threads with a socket between them. Started with
     * the family of the socket, {@code tcp} or {@code unix}, and the folder of the driver's pipes.
     */
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[1]);
        SocketChannel[] ends = arguments[0].equals("tcp") ? tcp() : unix(folder.resolve("socket"));
        PairRank.serveBoth(rank -> ContenderServer.serve(folder, rank, new PairRank(rank, new SocketEnd(ends[rank]))));
    }

    /** TCP over the loopback interface, without delay. */
    static SocketChannel[] tcp() throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            SocketChannel near = SocketChannel.open(listener.getLocalAddress());
            SocketChannel far = listener.accept();
            near.setOption(StandardSocketOptions.TCP_NODELAY, true);
            far.setOption(StandardSocketOptions.TCP_NODELAY, true);
            return new SocketChannel[] {near, far};
        }
    }

    /** A UNIX-domain stream; the driver deletes the file with its folder. */
    static SocketChannel[] unix(Path file) throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listener.bind(UnixDomainSocketAddress.of(file));
            SocketChannel near = SocketChannel.open(listener.getLocalAddress());
            SocketChannel far = listener.accept();
            return new SocketChannel[] {near, far};
        }
    }

    @Override
    public void send(int bytes) throws IOException {
        ByteBuffer message = cleared(bytes);
        while (message.hasRemaining()) {
            channel.write(message);
        }
    }

    @Override
    public void receive(int bytes) throws IOException {
        ByteBuffer message = cleared(bytes);
        while (message.hasRemaining()) {
            if (channel.read(message) < 0) {
                throw new IOException("the other end has closed the socket");
            }
        }
    }

    private ByteBuffer cleared(int bytes) {
        if (buffer.capacity() < bytes) {
            buffer = ByteBuffer.allocateDirect(bytes);
            while (buffer.hasRemaining()) {
                buffer.put(FILLING);
            }
        }
        return buffer.clear().limit(bytes);
    }
}
