package org.galerna.sockets;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.CRC32;

/** The two ends of a connection, and what can be done with them. */
record SocketPair(Socket client, Socket server) implements AutoCloseable {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);
    private static final int POURED = 3_000_000;

    /** Connects two sockets; bytes go through shared memory when this returns if they are to. */
    static SocketPair open(boolean fast) throws IOException {
        try (ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Socket client = new Socket(listener.getInetAddress(), listener.getLocalPort());
            SocketPair pair = new SocketPair(client, listener.accept());
            pair.warmUp(fast);
            return pair;
        }
    }

    /** Something that may throw. */
    interface Action {
        void run() throws Exception;
    }

    InputStream clientIn() throws IOException {
        return client.getInputStream();
    }

    OutputStream clientOut() throws IOException {
        return client.getOutputStream();
    }

    InputStream serverIn() throws IOException {
        return server.getInputStream();
    }

    OutputStream serverOut() throws IOException {
        return server.getOutputStream();
    }

    /** Exchanges bytes until both directions go through shared memory, or a few times if they are not to. */
    void warmUp(boolean fast) throws IOException {
        long deadline = System.nanoTime() + PATIENCE;
        int more = 3;
        while (more > 0) {
            exchange(client, server);
            exchange(server, client);
            more -= fast && !(FastSockets.isFast(client) && FastSockets.isFast(server)) ? 0 : 1;
            if (System.nanoTime() - deadline > 0) {
                throw new IOException("the connection does not become fast");
            }
        }
    }

    private static void exchange(Socket from, Socket to) throws IOException {
        byte[] bytes = {7, 8, 9};
        from.getOutputStream().write(bytes);
        if (!Arrays.equals(to.getInputStream().readNBytes(3), bytes)) {
            throw new IOException("other bytes have come");
        }
    }

    static void awaitAvailable(InputStream in, int count) throws IOException {
        while (in.available() < count) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** What a call returns or throws, in words. */
    static String outcome(Callable<?> call) {
        try {
            Object result = call.call();
            return result instanceof byte[] bytes ? Arrays.toString(bytes) : String.valueOf(result);
        } catch (Exception thrown) {
            return thrown.getClass().getName() + "(" + thrown.getMessage() + ")";
        }
    }

    static String outcomeOf(Action action) {
        return outcome(() -> {
            action.run();
            return "done";
        });
    }

    /** Does something in a thread of its own, which gets the time to wait for whatever it waits for. */
    static Blocked blocked(boolean virtual, Callable<?> call) {
        FutureTask<String> task = new FutureTask<>(() -> outcome(call));
        Thread thread =
                virtual ? Thread.ofVirtual().start(task) : Thread.ofPlatform().start(task);
        StackTraceElement[] before = {};
        // in native code a thread that waits looks as if it ran, but it stays where it is
        for (int look = 0, same = 0; look < 50 && same < 3 && thread.isAlive(); look++) {
            LockSupport.parkNanos(2_000_000);
            StackTraceElement[] now = thread.getStackTrace();
            same = now.length > 0 && Arrays.equals(now, before) ? same + 1 : 0;
            before = now;
        }
        return new Blocked(thread, task);
    }

    /** A thread that waits, and what its call will return or throw. */
    record Blocked(Thread thread, FutureTask<String> task) {
        String outcome() throws Exception {
            return task.get(60, TimeUnit.SECONDS);
        }
    }

    /** Writes random bytes in random pieces, then ends the stream. */
    static void pour(Socket socket, long seed) throws IOException {
        Random random = new Random(seed);
        byte[] all = new byte[POURED];
        random.nextBytes(all);
        for (int at = 0; at < all.length; ) {
            int piece = Math.min(all.length - at, 1 + random.nextInt(random.nextInt(10) == 0 ? 400_000 : 3000));
            socket.getOutputStream().write(all, at, piece);
            at += piece;
        }
        socket.shutdownOutput();
    }

    /** Reads to the end in random pieces; returns the number of bytes and their checksum. */
    static String drain(Socket socket, long seed) throws IOException {
        Random random = new Random(seed);
        CRC32 sum = new CRC32();
        byte[] piece = new byte[200_000];
        long count = 0;
        int read;
        InputStream in = socket.getInputStream();
        while ((read = in.read(piece, 0, 1 + random.nextInt(piece.length))) >= 0) {
            sum.update(piece, 0, read);
            count += read;
        }
        return count + " bytes, " + sum.getValue();
    }

    @Override
    public void close() throws IOException {
        client.close();
        server.close();
    }
}
