package org.galerna.sockets;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketImpl;
import java.util.List;

/**
 * A program that does with sockets what only the platform's own may: sockets that a subclass of a listener accepts into,
 * and sockets that go by a proxy. It says what it sees of them. With a jar as its argument it starts that agent itself,
 * between two listeners.
 */
public final class PlatformProgram {
    private static final int ROUNDS = 100;
    private static final Proxy.Type[] PROXIES = {Proxy.Type.SOCKS, Proxy.Type.HTTP};

    private static final boolean FAST = Boolean.getBoolean("galerna.test.fast"); // all connections are to become so

    private PlatformProgram() {}

    /** Runs it. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 0) {
            attach(arguments[0]);
            return;
        }
        acceptInto("unbound", new Socket());
        Socket bound = new Socket();
        bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        int port = bound.getLocalPort();
        acceptInto("bound", bound);
        new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
        acceptInto("without a proxy", new Socket(Proxy.NO_PROXY));
        Socket impatient = new Socket();
        impatient.setSoTimeout(12_345);
        acceptInto("with a time limit", impatient);
        try (ServerSocket other = listener()) {
            Socket connected = new Socket(other.getInetAddress(), other.getLocalPort());
            try (Socket before = other.accept()) {
                acceptInto("connected", connected);
                System.out.println(
                        "who was connected reads " + before.getInputStream().read());
            }
        }
        Socket closed = new Socket();
        closed.close();
        acceptInto("closed", closed);
        for (Proxy.Type type : PROXIES) {
            byProxy(type);
        }
        System.out.println("end");
    }

    private static ServerSocket listener() throws IOException {
        return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    private static void acceptInto(String name, Socket socket) throws Exception {
        try (Into into = new Into(socket);
                Socket client = new Socket(into.getInetAddress(), into.getLocalPort())) {
            String before = mark(socket);
            System.out.println(name + ": "
                    + SocketPair.outcome(() -> {
                        Socket accepted = into.accept();
                        return exchange(client, accepted, FAST) + ", a limit of " + accepted.getSoTimeout();
                    })
                    + ", " + before + ", then " + mark(socket));
            if (socket.isClosed()) {
                System.out.println(
                        "the other end reads " + client.getInputStream().read());
            }
            socket.close();
        }
    }

    /** Which of the platform's kinds a socket is of. */
    private static String mark(Socket socket) throws ReflectiveOperationException {
        Field field = Socket.class.getDeclaredField("impl");
        field.setAccessible(true);
        SocketImpl made = (SocketImpl) field.get(socket);
        for (String kind : List.of("java.net.DelegatingSocketImpl", "sun.net.PlatformSocketImpl")) {
            if (Class.forName(kind).isInstance(made)) {
                return kind;
            }
        }
        return made == null ? "nothing" : "something else";
    }

    private static String exchange(Socket client, Socket server, boolean fast) throws IOException {
        int sum = 0;
        for (int round = 0; round < ROUNDS; round++) {
            client.getOutputStream().write(round);
            sum += server.getInputStream().read();
            server.getOutputStream().write(round);
            sum += client.getInputStream().read();
        }
        if (fast) {
            new SocketPair(client, server).warmUp(true); // ends when both are, or fails
        }
        return "echo " + sum;
    }

    private static void byProxy(Proxy.Type type) throws Exception {
        try (ServerSocket proxy = listener();
                ServerSocket target = listener()) {
            Thread.ofVirtual().start(() -> relay(proxy, type));
            try (Socket client = new Socket(new Proxy(type, proxy.getLocalSocketAddress()))) {
                client.connect(target.getLocalSocketAddress(), 20_000);
                try (Socket server = target.accept()) {
                    boolean named = client.getPort() == target.getLocalPort();
                    System.out.println(
                            type + ": " + exchange(client, server, FAST) + ", to the target's port: " + named);
                }
            }
        }
    }

    /** Brings one client to where it wants to go. */
    private static void relay(ServerSocket proxy, Proxy.Type type) {
        try (Socket client = proxy.accept()) {
            DataInputStream in = new DataInputStream(client.getInputStream());
            OutputStream out = client.getOutputStream();
            try (Socket target = type == Proxy.Type.SOCKS ? socks(in, out) : http(in, out)) {
                Thread back = Thread.ofVirtual().start(() -> copy(target, client));
                copy(client, target);
                back.join();
            }
        } catch (IOException | InterruptedException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static void copy(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
            to.shutdownOutput();
        } catch (IOException ended) {
            // with the program's own sockets
        }
    }

    /** RFC 1928: methods, then a request with an address of four bytes. */
    private static Socket socks(DataInputStream in, OutputStream out) throws IOException {
        in.readByte();
        in.skipNBytes(in.readByte());
        out.write(new byte[] {5, 0});
        in.skipNBytes(4);
        byte[] address = in.readNBytes(4);
        int port = in.readUnsignedShort();
        Socket target = new Socket(InetAddress.getByAddress(address), port);
        out.write(
                new byte[] {5, 0, 0, 1, address[0], address[1], address[2], address[3], (byte) (port >> 8), (byte) port
                });
        return target;
    }

    private static Socket http(DataInputStream in, OutputStream out) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.readByte());
        }
        String[] address = head.toString().split("\\s")[1].split(":");
        Socket target = new Socket(address[0], Integer.parseInt(address[1]));
        out.write("HTTP/1.1 200 OK\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        return target;
    }

    private static void attach(String jar) throws Exception {
        try (ServerSocket early = listener();
                Socket half = new Socket(early.getInetAddress(), early.getLocalPort());
                Socket unused = new Socket()) {
            com.sun.tools.attach.VirtualMachine self = com.sun.tools.attach.VirtualMachine.attach(
                    Long.toString(ManagementFactory.getRuntimeMXBean().getPid()));
            self.loadAgent(jar, "after=2,log");
            self.detach();
            try (Socket server = early.accept()) {
                System.out.println("connected before: " + exchange(half, server, false));
            }
            try (Socket client = new Socket(early.getInetAddress(), early.getLocalPort());
                    Socket server = early.accept()) {
                System.out.println("listened before: " + exchange(client, server, false));
            }
            try (ServerSocket late = listener()) {
                unused.connect(late.getLocalSocketAddress());
                try (Socket server = late.accept()) {
                    System.out.println("made before: " + exchange(unused, server, false));
                }
                try (Socket client = new Socket(late.getInetAddress(), late.getLocalPort());
                        Socket server = late.accept()) {
                    System.out.println("made later: " + exchange(client, server, true));
                }
            }
        }
    }

    /** A listener as some servers have, which makes its sockets itself. */
    private static final class Into extends ServerSocket {
        private final Socket socket;

        Into(Socket socket) throws IOException {
            super(0, 50, InetAddress.getLoopbackAddress());
            this.socket = socket;
        }

        @Override
        public Socket accept() throws IOException {
            implAccept(socket);
            return socket;
        }
    }
}
