package org.galerna.sockets;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.CRC32;

/**
 * A program that sends bytes to a server that returns them, first in turns and then as a stream, which it ends, and compares
 * what comes back. It says what it sees, and what has become of its connections.
 */
public final class EchoClient {
    private static final int STREAMED = 1_000_000;
    private static final int ROUNDS = 60;
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(300);

    private EchoClient() {}

    /**
     * Connects to an address and a port. What follows is {@code fast} or {@code plain}, which the connection is to become,
     * and {@code stream}, {@code forever} to go on in turns, {@code exit} to send some bytes and end without a word, or
     * {@code later} to send more than there is room for, and end, when something is typed.
     */
    public static void main(String[] arguments) throws Exception {
        boolean fast = arguments[2].equals("fast");
        Socket socket = new Socket(InetAddress.getByName(arguments[0]), Integer.parseInt(arguments[1]));
        try {
            turns(socket, fast);
            System.out.println(FastSockets.isFast(socket) ? "is fast" : "is plain");
            switch (arguments[3]) {
                case "forever" -> {
                    while (true) {
                        turn(socket, new byte[100]);
                    }
                }
                case "exit" -> {
                    socket.getOutputStream().write(-1);
                    socket.getOutputStream().write(new byte[200_000]);
                    System.exit(0);
                }
                case "later" -> {
                    int typed = System.in.read();
                    socket.getOutputStream().write(-1);
                    socket.getOutputStream().write(new byte[300_000]);
                    System.exit(typed < 0 ? 1 : 0);
                }
                default -> stream(socket);
            }
        } catch (IOException failed) {
            System.out.println("saw " + failed);
        }
        socket.close();
        SocketCounters counters = FastSockets.counters();
        long deadline = System.nanoTime() + PATIENCE;
        while (!fast && counters.getPlain().isEmpty() && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(1_000_000); // the call to the other side is not through yet
        }
        System.out.println(
                "counters " + counters.getFast() + " " + counters.getPlain() + " " + counters.getFastBytesSent());
    }

    private static void turns(Socket socket, boolean fast) throws IOException {
        Random random = new Random(7);
        long deadline = System.nanoTime() + PATIENCE;
        for (int round = 0; round < ROUNDS || (fast && !FastSockets.isFast(socket)); round++) {
            byte[] bytes = new byte[1 + random.nextInt(1000)];
            for (int index = 0; index < bytes.length; index++) {
                bytes[index] = (byte) random.nextInt(128);
            }
            turn(socket, bytes);
            if (fast && !FastSockets.counters().getPlain().isEmpty()) {
                throw new IOException(
                        "the connection stays plain: " + FastSockets.counters().getPlain());
            }
            if (System.nanoTime() - deadline > 0) {
                throw new IOException("the connection does not become fast");
            }
        }
    }

    private static void turn(Socket socket, byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        byte[] back = socket.getInputStream().readNBytes(bytes.length);
        if (back.length < bytes.length) {
            throw new EOFException("the stream ends in a turn");
        }
        if (!Arrays.equals(back, bytes)) {
            throw new IOException("other bytes have come back");
        }
    }

    private static void stream(Socket socket) throws Exception {
        byte[] all = new byte[STREAMED];
        new Random(9).nextBytes(all);
        Thread writer = Thread.ofPlatform().start(() -> {
            try {
                OutputStream out = socket.getOutputStream();
                Random random = new Random(11);
                for (int at = 0; at < all.length; ) {
                    int piece = Math.min(all.length - at, 1 + random.nextInt(100_000));
                    out.write(all, at, piece);
                    at += piece;
                }
                socket.shutdownOutput();
            } catch (IOException failed) {
                System.out.println("the writer saw " + failed);
            }
        });
        CRC32 expected = new CRC32();
        expected.update(all);
        CRC32 sum = new CRC32();
        long count = 0;
        byte[] piece = new byte[30_000];
        InputStream in = socket.getInputStream();
        for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
            sum.update(piece, 0, read);
            count += read;
        }
        writer.join();
        boolean same = count == all.length && sum.getValue() == expected.getValue();
        System.out.println(same ? "checked" : "other bytes: " + count + " of " + all.length);
    }
}
