package org.galerna.bench.sockets;

import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.galerna.sockets.FastInput;
import org.galerna.sockets.FastOutput;
import org.jspecify.annotations.Nullable;

/**
 * The two programs that are measured: a server, and a client that does what it reads from its standard input, one line for
 * each measurement, and answers with the nanoseconds that it took. Ordinary blocking sockets and streams; what knows of
 * Galerna are the arrays of the method {@code fast} alone.
 */
public final class SocketWork {
    private final int port;
    private final HttpWork http;
    private final int selectorPort;
    private final int plainPort;
    private @Nullable SelectorWork many; // once it is asked for

    private SocketWork(int[] ports) {
        this.port = ports[0];
        this.http = new HttpWork(ports[1]);
        this.selectorPort = ports[2];
        this.plainPort = ports[3];
    }

    /** What a client asks a server for on a connection. */
    private enum Request {
        /** Returns messages. */
        ECHO,
        /** Takes bytes, and answers when all are there. */
        SINK,
        /** Takes arrays, serialized by the platform. */
        OBJECTS,
        /** Returns arrays, serialized by the platform. */
        OBJECTS_ECHO,
        /** Takes arrays as they are. */
        ARRAYS,
        /** Returns arrays as they are. */
        ARRAYS_ECHO
    }

    /**
     * Starts {@code server <plain port>}, or {@code client} with the ports that the server prints.
     *
     * @param arguments the plain port is one that fast sockets leave alone, or 0
     */
    public static void main(String[] arguments) throws IOException {
        if (arguments[0].equals("server")) {
            try {
                serve(Integer.parseInt(arguments[1]));
            } catch (IOException cannot) {
                System.err.println("the server has ended: " + cannot);
                System.exit(1); // there are threads that would go on
            }
        } else {
            int[] ports =
                    Arrays.stream(arguments).skip(1).mapToInt(Integer::parseInt).toArray();
            new SocketWork(ports).obey();
        }
    }

    private static void serve(int plainPort) throws IOException {
        int http = HttpWork.serve();
        String selector = SelectorWork.serve(plainPort);
        try (ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            System.out.println(listener.getLocalPort() + " " + http + " " + selector);
            while (true) {
                Socket socket = listener.accept();
                Thread.ofPlatform().daemon().start(() -> serve(socket));
            }
        }
    }

    private static void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            DataInputStream in = new DataInputStream(socket.getInputStream());
            OutputStream out = socket.getOutputStream();
            while (true) {
                Request request = Request.valueOf(in.readUTF());
                int bytes = in.readInt();
                int count = in.readInt();
                byte kind = in.readByte();
                answer(request, bytes, count, kind, socket, in, out);
            }
        } catch (EOFException done) {
            // the client has closed the connection
        } catch (IOException | ClassNotFoundException broken) {
            throw new IllegalStateException(broken);
        }
    }

    private static void answer(
            Request request, int bytes, int count, byte kind, Socket socket, DataInputStream in, OutputStream out)
            throws IOException, ClassNotFoundException {
        switch (request) {
            case ECHO -> {
                byte[] message = new byte[bytes];
                for (int number = 0; number < count; number++) {
                    in.readFully(message);
                    out.write(message);
                }
            }
            case SINK -> {
                byte[] piece = new byte[1 << 16];
                for (long left = (long) bytes * count; left > 0; ) {
                    left -= in.read(piece, 0, (int) Math.min(left, piece.length));
                }
                out.write(1);
            }
            case OBJECTS -> {
                ObjectInputStream objects = new ObjectInputStream(in);
                for (int number = 0; number < count; number++) {
                    Object unused = objects.readObject();
                }
                out.write(1);
            }
            case OBJECTS_ECHO -> {
                ObjectInputStream objectsIn = new ObjectInputStream(in);
                ObjectOutputStream objectsOut = new ObjectOutputStream(out);
                objectsOut.flush(); // its header, which the client waits for
                for (int number = 0; number < count; number++) {
                    Object array = objectsIn.readObject();
                    objectsOut.reset();
                    objectsOut.writeObject(array);
                    objectsOut.flush();
                }
            }
            case ARRAYS -> {
                Object array = array(kind, bytes);
                FastInput arrays = FastInput.of(socket);
                for (int number = 0; number < count; number++) {
                    read(arrays, array);
                }
                out.write(1);
            }
            case ARRAYS_ECHO -> {
                Object array = array(kind, bytes);
                FastInput arraysIn = FastInput.of(socket);
                FastOutput arraysOut = FastOutput.of(socket);
                for (int number = 0; number < count; number++) {
                    read(arraysIn, array);
                    write(arraysOut, array);
                }
            }
        }
    }

    private static void read(FastInput arrays, Object array) throws IOException {
        switch (array) {
            case byte[] bytes -> arrays.read(bytes, 0, bytes.length);
            case int[] ints -> arrays.read(ints, 0, ints.length);
            case double[] doubles -> arrays.read(doubles, 0, doubles.length);
            default -> throw new IllegalArgumentException(array.getClass().getName());
        }
    }

    private static void write(FastOutput arrays, Object array) throws IOException {
        switch (array) {
            case byte[] bytes -> arrays.write(bytes, 0, bytes.length);
            case int[] ints -> arrays.write(ints, 0, ints.length);
            case double[] doubles -> arrays.write(doubles, 0, doubles.length);
            default -> throw new IllegalArgumentException(array.getClass().getName());
        }
    }

    private static Object array(byte kind, int bytes) {
        return switch (kind) {
            case 'b' -> new byte[bytes];
            case 'i' -> new int[bytes / Integer.BYTES];
            default -> new double[bytes / Double.BYTES];
        };
    }

    private void obey() throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setTcpNoDelay(true);
            String line;
            while ((line = lines.readLine()) != null) {
                String[] words = line.split(" ", -1);
                int bytes = Integer.parseInt(words[1]);
                int count = Integer.parseInt(words[2]);
                System.out.println(measure(words[0], bytes, count, socket));
            }
        }
    }

    private long measure(String what, int bytes, int count, Socket socket) throws IOException {
        byte kind = (byte) what.charAt(what.length() - 1);
        return switch (what) {
            case "echo" -> echo(socket, bytes, count);
            case "stream" -> stream(socket, bytes, count);
            case "connect" -> connect(port, count);
            case "http" -> http.requests(bytes, count);
            case "many" -> many(bytes, count);
            case "objects-b", "objects-i", "objects-d" -> objects(socket, kind, bytes, count);
            case "arrays-b", "arrays-i", "arrays-d" -> arrays(socket, kind, bytes, count);
            case "objects-echo-b", "objects-echo-i", "objects-echo-d" -> objectsEcho(socket, kind, bytes, count);
            case "arrays-echo-b", "arrays-echo-i", "arrays-echo-d" -> arraysEcho(socket, kind, bytes, count);
            default -> throw new IllegalArgumentException(what);
        };
    }

    private long many(int bytes, int count) throws IOException {
        if (many == null) {
            many = new SelectorWork(selectorPort, plainPort);
        }
        return many.exchange(bytes, count);
    }

    private static void ask(Socket socket, Request request, int bytes, int count, int kind) throws IOException {
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
        out.writeUTF(request.name());
        out.writeInt(bytes);
        out.writeInt(count);
        out.writeByte(kind);
        out.flush();
    }

    private static long echo(Socket socket, int bytes, int count) throws IOException {
        byte[] message = new byte[bytes];
        InputStream in = socket.getInputStream();
        OutputStream out = socket.getOutputStream();
        ask(socket, Request.ECHO, bytes, count, 0);
        long start = System.nanoTime();
        for (int number = 0; number < count; number++) {
            out.write(message);
            if (in.readNBytes(message, 0, bytes) < bytes) {
                throw new EOFException();
            }
        }
        return System.nanoTime() - start;
    }

    private static long stream(Socket socket, int bytes, int count) throws IOException {
        byte[] message = new byte[bytes];
        OutputStream out = socket.getOutputStream();
        ask(socket, Request.SINK, bytes, count, 0);
        long start = System.nanoTime();
        for (int number = 0; number < count; number++) {
            out.write(message);
        }
        awaitAnswer(socket);
        return System.nanoTime() - start;
    }

    private static long connect(int port, int count) throws IOException {
        long start = System.nanoTime();
        for (int number = 0; number < count; number++) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                echo(socket, 1, 1);
            }
        }
        return System.nanoTime() - start;
    }

    private static long objects(Socket socket, byte kind, int bytes, int count) throws IOException {
        Object array = array(kind, bytes);
        ask(socket, Request.OBJECTS, bytes, count, kind);
        long start = System.nanoTime();
        ObjectOutputStream objects = new ObjectOutputStream(socket.getOutputStream());
        for (int number = 0; number < count; number++) {
            objects.reset(); // not after the last one: nobody would read that from the stream
            objects.writeObject(array);
        }
        objects.flush();
        awaitAnswer(socket);
        return System.nanoTime() - start;
    }

    private static long arrays(Socket socket, byte kind, int bytes, int count) throws IOException {
        Object array = array(kind, bytes);
        ask(socket, Request.ARRAYS, bytes, count, kind);
        long start = System.nanoTime();
        FastOutput arrays = FastOutput.of(socket);
        for (int number = 0; number < count; number++) {
            write(arrays, array);
        }
        awaitAnswer(socket);
        return System.nanoTime() - start;
    }

    private static long objectsEcho(Socket socket, byte kind, int bytes, int count) throws IOException {
        Object array = array(kind, bytes);
        ask(socket, Request.OBJECTS_ECHO, bytes, count, kind);
        long start = System.nanoTime();
        ObjectOutputStream objectsOut = new ObjectOutputStream(socket.getOutputStream());
        objectsOut.flush();
        ObjectInputStream objectsIn = new ObjectInputStream(socket.getInputStream());
        try {
            for (int number = 0; number < count; number++) {
                objectsOut.reset();
                objectsOut.writeObject(array);
                objectsOut.flush();
                Object unused = objectsIn.readObject();
            }
        } catch (ClassNotFoundException impossible) {
            throw new IllegalStateException(impossible);
        }
        return System.nanoTime() - start;
    }

    private static long arraysEcho(Socket socket, byte kind, int bytes, int count) throws IOException {
        Object array = array(kind, bytes);
        ask(socket, Request.ARRAYS_ECHO, bytes, count, kind);
        FastOutput arraysOut = FastOutput.of(socket);
        FastInput arraysIn = FastInput.of(socket);
        long start = System.nanoTime();
        for (int number = 0; number < count; number++) {
            write(arraysOut, array);
            read(arraysIn, array);
        }
        return System.nanoTime() - start;
    }

    private static void awaitAnswer(Socket socket) throws IOException {
        if (socket.getInputStream().read() != 1) {
            throw new EOFException();
        }
    }
}
