package org.galerna.sockets.network;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Semaphore;
import org.galerna.link.handshake.Authenticator;
import org.galerna.sockets.platform.OwnThreads;
import org.galerna.sockets.platform.PlatformChannels;
import org.jspecify.annotations.Nullable;

/**
 * Where processes of other hosts call, besides the port at which a program listens: the first that is free of a few ports
 * that follow from that one and the key, so that nobody has to be told. A process that calls a port of a stranger says nothing there.
 */
public final class Acceptor {
    /** Below those that Linux gives to connections; what programs have fixed ports for mostly is not there. */
    private static final int FIRST_PORT = 20_000;

    private static final int PORTS = 12_000;
    private static final int CHOICES = 4;
    private static final int BACKLOG = 128;

    /** Strangers that are listened to at a time. */
    private static final int MOST_STRANGERS = 64;

    private final ServerSocketChannel channel;
    private final Semaphore strangers = new Semaphore(MOST_STRANGERS);

    private Acceptor(ServerSocketChannel channel) {
        this.channel = channel;
    }

    /** Where to call for a program that listens at {@code port}, in turn. */
    public static int[] ports(Authenticator proof, int port) {
        ByteBuffer random = ByteBuffer.wrap(
                proof.of("door", ByteBuffer.allocate(Integer.BYTES).putInt(port).array()));
        int[] ports = new int[CHOICES];
        for (int choice = 0; choice < CHOICES; choice++) {
            ports[choice] = FIRST_PORT + Integer.remainderUnsigned(random.getInt(), PORTS);
        }
        return ports;
    }

    /**
     * Opens one.
     *
     * @param port at which the program listens
     * @param visitor takes callers, on a thread of the acceptor; it has to leave the matter to another one, and to call
     *     {@link #heard} when it is through
     * @throws IOException if all its ports are taken
     */
    public static Acceptor open(InetAddress address, int port, Authenticator proof, Visitor visitor)
            throws IOException {
        @Nullable IOException last = null;
        for (int choice : ports(proof, port)) {
            ServerSocketChannel channel = PlatformChannels.provider().openServerSocketChannel();
            try {
                channel.bind(new InetSocketAddress(address, choice), BACKLOG);
                Acceptor door = new Acceptor(channel);
                OwnThreads.make("galerna-sockets-door-" + port, () -> door.run(visitor))
                        .start();
                return door;
            } catch (IOException taken) {
                last = taken;
                channel.close();
            }
        }
        throw new IOException("all ports for calls from other hosts are taken", last);
    }

    /** Takes callers. */
    @FunctionalInterface
    public interface Visitor {
        void come(Acceptor door, SocketChannel caller);
    }

    private void run(Visitor visitor) {
        while (channel.isOpen()) {
            try {
                SocketChannel caller = channel.accept();
                if (strangers.tryAcquire()) {
                    visitor.come(this, caller);
                } else {
                    caller.close();
                }
            } catch (IOException closedOrOutOfDescriptors) {
                Thread.yield();
            }
        }
    }

    /** One stranger less is listened to. */
    public void heard() {
        strangers.release();
    }

    public void close() {
        try {
            channel.close();
        } catch (IOException isGoneAllTheSame) {
            // nobody is let in there
        }
    }
}
