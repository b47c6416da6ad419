package org.galerna.sockets;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A program that has an echo of its own, and needs nothing but module {@code java.base}. */
public final class EchoProgram {
    /** So many that the connection is there for longer than an offer takes on a busy machine. */
    private static final int ROUNDS = 20_000;

    private EchoProgram() {}

    /** Runs it; says its arguments. */
    public static void main(String[] arguments) throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> serve(listener));
            try (Socket socket = new Socket(listener.getInetAddress(), listener.getLocalPort())) {
                InputStream in = socket.getInputStream();
                OutputStream out = socket.getOutputStream();
                for (int round = 0; round < ROUNDS; round++) {
                    out.write(round);
                    if (in.read() != (round & 0xff)) {
                        throw new IOException("another byte has come");
                    }
                }
            }
            try (SocketChannel channel = SocketChannel.open(listener.getLocalSocketAddress())) {
                for (int round = 0; round < ROUNDS; round++) {
                    channel.write(ByteBuffer.allocate(1));
                    if (channel.read(ByteBuffer.allocate(2)) != 1) {
                        throw new IOException("not as much has come");
                    }
                }
            }
        }
        System.out.println("echoed " + String.join(" ", arguments));
        Module here = EchoProgram.class.getModule();
        System.out.println(Object.class.getModule().isOpen("java.lang", here) ? "opened" : "closed");
        System.out.println(System.getProperty("java.class.path"));
    }

    private static void serve(ServerSocket listener) {
        try {
            while (true) {
                Socket socket = listener.accept();
                Thread.ofPlatform().daemon().start(() -> echo(socket));
            }
        } catch (IOException closed) {
            // the program ends
        }
    }

    private static void echo(Socket socket) {
        try (socket) {
            socket.getInputStream().transferTo(socket.getOutputStream());
        } catch (IOException closed) {
            // as above
        }
    }
}
