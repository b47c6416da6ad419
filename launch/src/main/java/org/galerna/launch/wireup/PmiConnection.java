package org.galerna.launch.wireup;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import org.galerna.nativeaccess.file.FileDescriptor;

/**
 * The way to the PMI server of a job manager: a socket that the process was born with ({@code PMI_FD}), or one that it
 * opens ({@code PMI_PORT}). One thread reads at a time; writing is possible meanwhile.
 */
final class PmiConnection {
    /** Environment: number of the descriptor of the inherited socket. */
    static final String DESCRIPTOR = "PMI_FD";

    /** Environment: host and port to connect to. */
    static final String PORT = "PMI_PORT";

    /** Environment: who this process is to the server at the port. */
    static final String ID = "PMI_ID";

    private static final int LONGEST_MESSAGE = 1 << 20;

    private final InputStream in;
    private final OutputStream out;

    private PmiConnection(InputStream in, OutputStream out) {
        this.in = new BufferedInputStream(in);
        this.out = out;
    }

    /**
     * True if the process has inherited a connection. The variable alone does not tell: it is inherited by processes that
     * do not get the descriptor, such as those of a job that was started within a job.
     */
    static boolean isInherited(Map<String, String> environment) {
        String descriptor = environment.get(DESCRIPTOR);
        if (descriptor == null || !descriptor.matches("\\d{1,9}")) {
            return false;
        }
        Path descriptors = Path.of("/proc/self/fd");
        if (!Files.isDirectory(descriptors)) {
            return true;
        }
        Path file = descriptors.resolve(descriptor);
        try {
            return Files.exists(file, LinkOption.NOFOLLOW_LINKS)
                    && Files.readSymbolicLink(file).toString().startsWith("socket:");
        } catch (IOException closedMeanwhile) {
            return false;
        }
    }

    /** The inherited connection. */
    static PmiConnection inherited(Map<String, String> environment) {
        FileDescriptor descriptor = new FileDescriptor(Integer.parseInt(environment.getOrDefault(DESCRIPTOR, "")));
        return new PmiConnection(descriptor.input(), descriptor.output());
    }

    /** A new connection to the server at {@code address}, a host and a port. */
    static PmiConnection toPort(String address) throws IOException {
        int colon = address.lastIndexOf(':');
        try {
            // a virtual machine that is about to end closes it
            Socket socket = new Socket(host(address, colon), Integer.parseInt(address.substring(colon + 1)));
            socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
            return new PmiConnection(socket.getInputStream(), socket.getOutputStream());
        } catch (IllegalArgumentException notAnAddress) {
            throw new IOException(PORT + " is \"" + address + "\", which is not host:port", notAnAddress);
        } catch (IOException unreachable) {
            throw new IOException("cannot connect to " + address + ": " + unreachable.getMessage(), unreachable);
        }
    }

    private static InetAddress host(String address, int colon) throws UnknownHostException {
        if (colon <= 0) {
            throw new IllegalArgumentException(address);
        }
        return InetAddress.getByName(address.substring(0, colon));
    }

    /** Sends a line. */
    void sendLine(String line) throws IOException {
        send(line + "\n");
    }

    /** Sends text in one piece, whichever thread sends at the same time. */
    void send(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        synchronized (out) {
            out.write(bytes);
            out.flush();
        }
    }

    /** The next line, without its end. */
    String readLine() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw closed();
            }
            if (line.length() >= LONGEST_MESSAGE) {
                throw new IOException("a line has more than " + LONGEST_MESSAGE + " characters");
            }
            line.append((char) next);
        }
        return line.toString();
    }

    /** The next so many bytes. */
    String read(int length) throws IOException {
        if (length < 0 || length > LONGEST_MESSAGE) {
            throw new IOException("a message has a length of " + length);
        }
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw closed();
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static EOFException closed() {
        return new EOFException("it has closed the connection");
    }
}
