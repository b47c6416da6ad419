package org.galerna.sockets;

import static org.galerna.sockets.SocketPair.outcome;
import static org.galerna.sockets.SocketPair.outcomeOf;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A program that uses sockets in every way there is and prints what it sees, a line for each {@linkplain Behaviours
 * behaviour}. Its argument is "fast" if connections are to go through shared memory before anything is tried with them.
 */
public final class BehaviourProgram {
    private BehaviourProgram() {}

    /** Runs it. */
    public static void main(String[] arguments) throws Exception {
        boolean fast = arguments.length > 0 && arguments[0].equals("fast");
        InetAddress here = InetAddress.getLoopbackAddress();
        for (Map.Entry<String, Behaviours.Behaviour> each :
                new Behaviours().all().entrySet()) {
            try (ServerSocket listener = new ServerSocket(0, 50, here);
                    Socket client = new Socket(here, listener.getLocalPort());
                    Socket server = listener.accept()) {
                System.out.println(
                        each.getKey() + ": " + result(each.getValue(), new SocketPair(client, server), fast));
            }
        }
        listening(here);
        System.out.println("end");
        System.exit(0);
    }

    private static String result(Behaviours.Behaviour behaviour, SocketPair pair, boolean fast) throws Exception {
        pair.client().setTcpNoDelay(true);
        pair.server().setTcpNoDelay(true);
        FutureTask<String> task = new FutureTask<>(() -> {
            pair.warmUp(fast);
            return behaviour.of(pair);
        });
        Thread thread = Thread.ofPlatform().daemon().start(task);
        try {
            return task.get(80, TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            return "failed: " + failed.getCause();
        } catch (TimeoutException hangs) {
            StringBuilder where = new StringBuilder("hangs:");
            for (StackTraceElement element : thread.getStackTrace()) {
                where.append(' ').append(element);
            }
            return where.toString();
        }
    }

    private static void listening(InetAddress here) throws Exception {
        ServerSocket listener = new ServerSocket(0, 50, here);
        int port = listener.getLocalPort();
        print("binds what is bound", outcome(() -> new ServerSocket(port, 50, here)));
        listener.setSoTimeout(50);
        print("accepts nobody in time", outcome(listener::accept));
        listener.setSoTimeout(0);
        SocketPair.Blocked acceptor = SocketPair.blocked(false, listener::accept);
        listener.close();
        print("is closed while it accepts", acceptor.outcome() + outcome(listener::accept));
        print("connects to nobody", outcome(() -> new Socket(here, port)));
        print(
                "connects to no address",
                outcomeOf(() -> new Socket().connect(InetSocketAddress.createUnresolved("nowhere.invalid", 80))));
        print("is not connected", outcome(() -> new Socket().getInputStream()) + new Socket());
        try (ServerSocket own = new OwnServerSocket(here);
                Socket client = new Socket(here, own.getLocalPort());
                Socket server = own.accept()) {
            client.getOutputStream().write(1);
            print("accepts with a socket of one's own", server.getInputStream().read() + " " + server.getSoTimeout());
            print("connects twice", outcomeOf(() -> client.connect(own.getLocalSocketAddress())));
        }
    }

    private static void print(String behaviour, String shown) {
        System.out.println(behaviour + ": " + shown.replaceAll("\\d{4,}", "<port>"));
    }

    /** A listener that makes the sockets itself. */
    private static final class OwnServerSocket extends ServerSocket {
        OwnServerSocket(InetAddress address) throws IOException {
            super(0, 50, address);
        }

        @Override
        public Socket accept() throws IOException {
            Socket socket = new Socket() {};
            socket.setSoTimeout(4321);
            implAccept(socket);
            return socket;
        }
    }
}
