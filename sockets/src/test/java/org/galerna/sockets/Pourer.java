package org.galerna.sockets;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.Random;

/** A program that sends bytes to a server that returns them, compares, and says so; then it goes on without end. */
public final class Pourer {
    private static final int ROUNDS = 200;

    private Pourer() {}

    /** Connects to the port that it is given, of this host or at the address that follows. */
    public static void main(String[] arguments) throws IOException {
        Random random = new Random(5);
        InetAddress address =
                arguments.length > 1 ? InetAddress.getByName(arguments[1]) : InetAddress.getLoopbackAddress();
        try (Socket socket = new Socket(address, Integer.parseInt(arguments[0]))) {
            InputStream in = socket.getInputStream();
            OutputStream out = socket.getOutputStream();
            boolean told = false;
            for (int round = 0; ; round++) {
                byte[] bytes = new byte[1 + random.nextInt(2000)];
                random.nextBytes(bytes);
                out.write(bytes);
                if (!Arrays.equals(in.readNBytes(bytes.length), bytes)) {
                    System.out.println("other bytes have come back in round " + round);
                    return;
                }
                if (round == ROUNDS) {
                    System.out.println("checked");
                }
                if (!told && FastSockets.isFast(socket)) {
                    told = true;
                    System.out.println("fast");
                }
            }
        }
    }
}
