package org.galerna.sockets;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketImpl;
import java.net.SocketImplFactory;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A program that has factories of sockets of its own, and says what it sees of them. Its argument is which it sets first:
 * {@code sockets} or {@code listeners}.
 */
public final class FactoryProgram {
    private static final int ROUNDS = 100;
    private static final AtomicInteger made = new AtomicInteger();

    private FactoryProgram() {}

    /** Runs it. */
    public static void main(String[] arguments) throws Exception {
        try (ServerSocket early = listener();
                Socket client = new Socket(early.getInetAddress(), early.getLocalPort());
                Socket server = early.accept()) {
            System.out.println("before: " + exchange(client, server) + made);
            boolean socketsFirst = arguments[0].equals("sockets");
            set(socketsFirst);
            meet("early listener", early);
            try (ServerSocket late = listener()) {
                meet("late listener", late);
            }
            set(!socketsFirst);
            meet("early listener", early);
            try (ServerSocket late = listener()) {
                meet("late listener", late);
            }
            System.out.println("after: " + exchange(client, server) + made);
        }
        System.out.println("end");
    }

    @SuppressWarnings("deprecation") // it is about programs that do so
    private static void set(boolean sockets) {
        SocketImplFactory factory = () -> {
            made.incrementAndGet();
            return new Own();
        };
        for (int time = 0; time < 2; time++) {
            System.out.println((sockets ? "sockets: " : "listeners: ")
                    + SocketPair.outcomeOf(() -> {
                        if (sockets) {
                            Socket.setSocketImplFactory(factory);
                        } else {
                            ServerSocket.setSocketFactory(factory);
                        }
                    }));
        }
    }

    private static ServerSocket listener() throws IOException {
        return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    private static void meet(String name, ServerSocket listener) {
        System.out.println(name + ": "
                + SocketPair.outcome(() -> {
                    try (Socket client = new Socket(listener.getInetAddress(), listener.getLocalPort());
                            Socket server = listener.accept()) {
                        return exchange(client, server);
                    }
                })
                + made);
    }

    private static String exchange(Socket client, Socket server) throws Exception {
        FutureTask<Void> answers = new FutureTask<>(() -> {
            for (int round = 0; round < ROUNDS; round++) {
                server.getOutputStream().write(server.getInputStream().readNBytes(4));
            }
            return null;
        });
        Thread.ofPlatform().daemon().start(answers);
        String back = "";
        for (int round = 0; round < ROUNDS; round++) {
            client.getOutputStream().write("echo".getBytes(US_ASCII));
            back = new String(client.getInputStream().readNBytes(4), US_ASCII);
        }
        answers.get();
        return back;
    }

    /** As simple as one can be: over a channel, without options. */
    private static final class Own extends SocketImpl {
        private SocketChannel channel;
        private ServerSocketChannel listener;

        @Override
        protected void create(boolean stream) {
            // opened where it is known for what
        }

        @Override
        protected void connect(String host, int port) throws IOException {
            connect(new InetSocketAddress(host, port), 0);
        }

        @Override
        protected void connect(InetAddress host, int port) throws IOException {
            connect(new InetSocketAddress(host, port), 0);
        }

        @Override
        protected void connect(SocketAddress to, int millis) throws IOException {
            channel = SocketChannel.open(to);
        }

        @Override
        protected void bind(InetAddress host, int at) throws IOException {
            listener = ServerSocketChannel.open().bind(new InetSocketAddress(host, at));
            address = host;
            localport = listener.socket().getLocalPort();
        }

        @Override
        protected void listen(int backlog) {
            // a channel that is bound listens
        }

        @Override
        protected void accept(SocketImpl accepted) throws IOException {
            ((Own) accepted).channel = listener.accept();
        }

        @Override
        protected InputStream getInputStream() {
            return Channels.newInputStream(channel);
        }

        @Override
        protected OutputStream getOutputStream() {
            return Channels.newOutputStream(channel);
        }

        @Override
        protected int available() {
            return 0;
        }

        @Override
        protected void close() throws IOException {
            if (channel != null) {
                channel.close();
            }
            if (listener != null) {
                listener.close();
            }
        }

        @Override
        protected void sendUrgentData(int data) throws IOException {
            throw new IOException("not urgent");
        }

        @Override
        public void setOption(int option, Object value) {
            // has none
        }

        @Override
        public Object getOption(int option) {
            return option == SO_BINDADDR ? InetAddress.getLoopbackAddress() : 0;
        }
    }
}
