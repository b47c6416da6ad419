package org.galerna.sockets;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

/**
 * A program that reads from and writes to channels by streams, and says what it sees. Its argument is how often the two ends
 * exchange bytes before, which makes a connection fast where there is the agent.
 */
public final class StreamsProgram {
    private StreamsProgram() {}

    /** Both ends of a connection, and the streams of the end that has connected. */
    private record Pair(SocketChannel client, SocketChannel server, InputStream in, OutputStream out)
            implements AutoCloseable {
        @Override
        public void close() throws IOException {
            client.close();
            server.close();
        }
    }

    /** What is seen of one connection. */
    @FunctionalInterface
    private interface Scene {
        Object play(Pair pair) throws Exception;
    }

    /** Runs it. */
    public static void main(String[] arguments) throws Exception {
        int exchanges = Integer.parseInt(arguments[0]);
        for (boolean virtual : new boolean[] {false, true}) {
            show("one reads while another writes", exchanges, pair -> duplex(pair, virtual));
            show(
                    "the socket's streams too",
                    exchanges,
                    pair -> duplex(
                            new Pair(
                                    pair.client,
                                    pair.server,
                                    pair.client.socket().getInputStream(),
                                    pair.client.socket().getOutputStream()),
                            virtual));
            show("a reader waits while another changes options", exchanges, pair -> {
                SocketPair.Blocked read = SocketPair.blocked(virtual, pair.in::read);
                pair.client.socket().setSoTimeout(1);
                pair.server.write(ChannelPair.bytes(5));
                return read.outcome();
            });
            show("closed while it is read from", exchanges, pair -> {
                SocketPair.Blocked read = SocketPair.blocked(virtual, pair.in::read);
                pair.out.close();
                return read.outcome() + ", open: " + pair.client.isOpen();
            });
        }
        show("interrupted while it is read from", exchanges, pair -> {
            SocketPair.Blocked read = SocketPair.blocked(false, pair.in::read);
            read.thread().interrupt();
            return read.outcome() + ", open: " + pair.client.isOpen();
        });
        show("a channel that does not wait", exchanges, pair -> {
            pair.client.configureBlocking(false);
            return SocketPair.outcome(pair.in::read) + ", " + SocketPair.outcomeOf(() -> pair.out.write(1)) + ", "
                    + SocketPair.outcome(() -> pair.in.read(new byte[0])) + ", "
                    + SocketPair.outcomeOf(() -> pair.out.write(new byte[0]));
        });
        show("closed before", exchanges, pair -> {
            pair.client.close();
            return SocketPair.outcome(pair.in::read) + ", " + SocketPair.outcomeOf(() -> pair.out.write(1)) + ", "
                    + SocketPair.outcome(pair.in::available);
        });
        show("the other end is closed", exchanges, pair -> {
            pair.server.close();
            return pair.in.read() + " " + pair.in.read();
        });
        show("bytes are there", exchanges, pair -> {
            pair.server.write(ChannelPair.bytes(1, 2, 3));
            int first = pair.in.read();
            return first + ", then " + pair.in.available() + ", skipped " + pair.in.skip(1) + ", " + pair.in.read();
        });
        show("from a file and into one", exchanges, StreamsProgram::files);
        show("readers and writers", exchanges, pair -> {
            Writer writer = Channels.newWriter(pair.client, StandardCharsets.UTF_8);
            Reader reader = Channels.newReader(pair.client, StandardCharsets.UTF_8);
            SocketPair.Blocked read = SocketPair.blocked(false, () -> (char) reader.read());
            writer.write("ab");
            writer.flush();
            String sent = ChannelPair.read(pair.server, 2);
            pair.server.write(ChannelPair.bytes('z'));
            return sent + read.outcome();
        });
        System.out.println("not connected: "
                + SocketPair.outcome(() -> {
                    try (SocketChannel channel = SocketChannel.open()) {
                        return Channels.newInputStream(channel).read();
                    }
                }));
        System.out.println("no channel: "
                + SocketPair.outcome(() -> Channels.newInputStream((java.nio.channels.ReadableByteChannel) null)));
        System.out.println("end");
    }

    private static Object duplex(Pair pair, boolean virtual) throws Exception {
        SocketPair.Blocked read = SocketPair.blocked(virtual, pair.in::read);
        SocketPair.Blocked written = SocketPair.blocked(virtual, () -> {
            pair.out.write(new byte[] {42, 43});
            return "written";
        });
        String sent = written.outcome() + ChannelPair.read(pair.server, 2);
        pair.server.write(ChannelPair.bytes(7));
        return sent + read.outcome();
    }

    private static Object files(Pair pair) throws Exception {
        Path file = Files.createTempFile("streams", ".bytes");
        byte[] bytes = new byte[100_000];
        new Random(bytes.length).nextBytes(bytes);
        try {
            Files.write(file, bytes);
            SocketPair.Blocked echo = SocketPair.blocked(false, () -> {
                InputStream in = Channels.newInputStream(pair.server);
                OutputStream out = Channels.newOutputStream(pair.server);
                byte[] all = in.readNBytes(3 * bytes.length);
                out.write(all);
                pair.server.shutdownOutput();
                return "echoed";
            });
            try (FileChannel from = FileChannel.open(file)) {
                Channels.newInputStream(from).transferTo(pair.out);
                long moved = 0;
                while (moved < bytes.length) {
                    moved += from.transferTo(moved, bytes.length - moved, pair.client);
                }
            }
            Files.copy(file, pair.out);
            byte[] first = pair.in.readNBytes(bytes.length);
            long copied = Files.copy(
                    new java.io.SequenceInputStream(new java.io.ByteArrayInputStream(first), pair.in),
                    file,
                    java.nio.file.StandardCopyOption.REPLACE_EXISTING);
            byte[] all = Files.readAllBytes(file);
            boolean same = Arrays.equals(all, 0, bytes.length, bytes, 0, bytes.length)
                    && Arrays.equals(all, bytes.length, 2 * bytes.length, bytes, 0, bytes.length)
                    && Arrays.equals(all, 2 * bytes.length, 3 * bytes.length, bytes, 0, bytes.length);
            return echo.outcome() + " " + copied + " " + same;
        } finally {
            Files.delete(file);
        }
    }

    private static void show(String name, int exchanges, Scene scene) {
        System.out.println(name + ": "
                + SocketPair.outcome(() -> {
                    try (ServerSocketChannel listener = ServerSocketChannel.open()) {
                        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                        SocketChannel client = SocketChannel.open(listener.getLocalAddress());
                        SocketChannel server = listener.accept();
                        try (Pair pair = new Pair(
                                client, server, Channels.newInputStream(client), Channels.newOutputStream(client))) {
                            for (int exchange = 0; exchange < exchanges; exchange++) {
                                pair.out.write(exchange);
                                ChannelPair.read(server, 1);
                                server.write(ChannelPair.bytes(exchange));
                                pair.in.read();
                            }
                            return scene.play(pair);
                        }
                    }
                }));
    }
}
