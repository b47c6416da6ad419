package org.galerna.sockets;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * A program for tests of what happens when one of two processes fails: a server that answers each byte by the next number,
 * or that reads no more, and says what it sees.
 */
public final class Stream {
    private static final int MANY = 1000;

    private Stream() {}

    /**
     * Listens: {@code echo <port>} returns all bytes, {@code deaf <port>} returns them until many come at once and reads none
     * from then on, {@code tally <port>} returns them until one comes that is negative, counts from then on, and says how many
     * there were. At the loopback interface, unless an address follows.
     */
    public static void main(String[] arguments) throws Exception {
        InetAddress address =
                arguments.length > 2 ? InetAddress.getByName(arguments[2]) : InetAddress.getLoopbackAddress();
        try (ServerSocket listener = new ServerSocket(Integer.parseInt(arguments[1]), 50, address)) {
            System.out.println("port " + listener.getLocalPort());
            while (true) {
                Socket socket = listener.accept();
                Thread.ofPlatform().start(() -> serve(arguments[0], socket));
            }
        }
    }

    private static void serve(String kind, Socket socket) {
        try (socket) {
            InputStream in = socket.getInputStream();
            OutputStream out = socket.getOutputStream();
            if (kind.equals("tally")) {
                tally(in, out);
            }
            byte[] piece = new byte[50_000];
            for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
                if (kind.equals("deaf") && count > MANY) {
                    System.out.println("deaf");
                    Thread.currentThread().join();
                }
                out.write(piece, 0, count);
            }
            System.out.println("ended");
        } catch (IOException | InterruptedException failed) {
            System.out.println("saw " + failed);
        }
    }

    private static void tally(InputStream in, OutputStream out) throws IOException {
        for (int next = in.read(); next < 128; next = in.read()) {
            out.write(next);
        }
        int all = 0;
        byte[] piece = new byte[50_000];
        for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
            all += count;
        }
        System.out.println("tallied " + all);
    }
}
