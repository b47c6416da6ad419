package org.galerna.dist;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A program that sends its argument to itself over a socket, a thousand times, and counts what comes. */
public final class SocketPairProgram {
    private static final int TIMES = 1000;

    private SocketPairProgram() {}

    /** Runs it. */
    public static void main(String[] arguments) throws IOException {
        byte[] word = arguments[0].getBytes(StandardCharsets.US_ASCII);
        int came = 0;
        try (ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                Socket client = new Socket(listener.getInetAddress(), listener.getLocalPort());
                Socket server = listener.accept()) {
            for (int time = 0; time < TIMES; time++) {
                client.getOutputStream().write(word);
                String read = new String(server.getInputStream().readNBytes(word.length), StandardCharsets.US_ASCII);
                came += read.equals(arguments[0]) ? 1 : 0;
            }
        }
        System.out.println(arguments[0] + " came " + came + " times");
    }
}
