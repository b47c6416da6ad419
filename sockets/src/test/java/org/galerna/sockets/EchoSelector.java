package org.galerna.sockets;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** A program for tests of many connections: one thread with one selector returns what each of them sends. */
public final class EchoSelector {
    private static final int BACKLOG = 2000;
    private static final int BUFFER = 4000;

    private EchoSelector() {}

    /** Listens on any port, and says on which; at the loopback interface unless an address is given. */
    public static void main(String[] arguments) throws IOException {
        InetAddress address =
                arguments.length > 0 ? InetAddress.getByName(arguments[0]) : InetAddress.getLoopbackAddress();
        try (Selector selector = Selector.open();
                ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(address, 0), BACKLOG);
            listener.configureBlocking(false);
            listener.register(selector, SelectionKey.OP_ACCEPT);
            System.out.println("port " + listener.socket().getLocalPort());
            while (true) {
                selector.select(key -> serve(listener, key));
            }
        }
    }

    private static void serve(ServerSocketChannel listener, SelectionKey key) {
        try {
            if (key.isAcceptable()) {
                SocketChannel accepted = listener.accept();
                if (accepted != null) {
                    accepted.configureBlocking(false);
                    accepted.register(key.selector(), SelectionKey.OP_READ, ByteBuffer.allocate(BUFFER));
                }
            } else {
                echo((SocketChannel) key.channel(), key);
            }
        } catch (IOException failed) {
            System.out.println("saw " + failed);
            key.cancel();
        }
    }

    /** Reads while there is room, and waits for room where the peer does not read. */
    private static void echo(SocketChannel channel, SelectionKey key) throws IOException {
        ByteBuffer pending = (ByteBuffer) key.attachment();
        if (channel.read(pending) < 0 && pending.position() == 0) {
            channel.close();
            return;
        }
        channel.write(pending.flip());
        pending.compact();
        int interest = pending.position() == 0 ? SelectionKey.OP_READ : SelectionKey.OP_WRITE;
        key.interestOps(pending.hasRemaining() ? interest | SelectionKey.OP_READ : interest);
    }
}
