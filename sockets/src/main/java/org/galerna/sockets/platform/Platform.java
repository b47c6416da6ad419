package org.galerna.sockets.platform;

import java.io.FileDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.util.Set;

/**
 * The platform's own implementation of sockets, whose methods only {@code java.net} may call: what a plain connection is,
 * and what stays below a fast one. Because every operation that is not about the bytes of a fast connection ends here, a
 * plain connection behaves as without Galerna.
 *
 * <p>Needs the packages {@code java.net} and {@code java.io} to be open to this module, which the agent sees to.
 */
public final class Platform {
    /** The class of the platform's own implementation, for connections and listeners. */
    public static final String IMPLEMENTATION = "sun.nio.ch.NioSocketImpl";

    private static final MethodHandle NEW;
    private static final MethodHandle CREATE;
    private static final MethodHandle CONNECT;
    private static final MethodHandle BIND;
    private static final MethodHandle LISTEN;
    private static final MethodHandle ACCEPT;
    private static final MethodHandle INPUT;
    private static final MethodHandle OUTPUT;
    private static final MethodHandle AVAILABLE;
    private static final MethodHandle CLOSE;
    private static final MethodHandle SHUTDOWN_INPUT;
    private static final MethodHandle SHUTDOWN_OUTPUT;
    private static final MethodHandle DESCRIPTOR;
    private static final MethodHandle ADDRESS;
    private static final MethodHandle PORT;
    private static final MethodHandle LOCAL_PORT;
    private static final MethodHandle SUPPORTS_URGENT;
    private static final MethodHandle SEND_URGENT;
    private static final MethodHandle SUPPORTED_OPTIONS;
    private static final MethodHandle SET_OPTION;
    private static final MethodHandle GET_OPTION;
    private static final VarHandle DESCRIPTOR_NUMBER;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(SocketImpl.class, MethodHandles.lookup());
            // by its constructor, since the platform's own method makes fast ones where there is the agent
            NEW = lookup.findConstructor(
                            Class.forName(IMPLEMENTATION), MethodType.methodType(void.class, boolean.class))
                    .asType(MethodType.methodType(SocketImpl.class, boolean.class));
            CREATE = method(lookup, "create", void.class, boolean.class);
            CONNECT = method(lookup, "connect", void.class, SocketAddress.class, int.class);
            BIND = method(lookup, "bind", void.class, InetAddress.class, int.class);
            LISTEN = method(lookup, "listen", void.class, int.class);
            ACCEPT = method(lookup, "accept", void.class, SocketImpl.class);
            INPUT = method(lookup, "getInputStream", InputStream.class);
            OUTPUT = method(lookup, "getOutputStream", OutputStream.class);
            AVAILABLE = method(lookup, "available", int.class);
            CLOSE = method(lookup, "close", void.class);
            SHUTDOWN_INPUT = method(lookup, "shutdownInput", void.class);
            SHUTDOWN_OUTPUT = method(lookup, "shutdownOutput", void.class);
            DESCRIPTOR = method(lookup, "getFileDescriptor", FileDescriptor.class);
            ADDRESS = method(lookup, "getInetAddress", InetAddress.class);
            PORT = method(lookup, "getPort", int.class);
            LOCAL_PORT = method(lookup, "getLocalPort", int.class);
            SUPPORTS_URGENT = method(lookup, "supportsUrgentData", boolean.class);
            SEND_URGENT = method(lookup, "sendUrgentData", void.class, int.class);
            SUPPORTED_OPTIONS = method(lookup, "supportedOptions", Set.class);
            SET_OPTION = method(lookup, "setOption", void.class, SocketOption.class, Object.class);
            GET_OPTION = method(lookup, "getOption", Object.class, SocketOption.class);
            DESCRIPTOR_NUMBER = MethodHandles.privateLookupIn(FileDescriptor.class, MethodHandles.lookup())
                    .findVarHandle(FileDescriptor.class, "fd", int.class);
        } catch (ReflectiveOperationException notOpen) {
            throw new IllegalStateException(notOpen);
        }
    }

    private Platform() {}

    private static MethodHandle method(
            MethodHandles.Lookup lookup, String name, Class<?> returned, Class<?>... parameters)
            throws ReflectiveOperationException {
        return lookup.findVirtual(SocketImpl.class, name, MethodType.methodType(returned, parameters));
    }

    /** Whether this can be used; throws an {@link IllegalStateException} or an error if not. */
    public static void check() {
        // done by the initializer of this class
    }

    /** What the handles throw is what the methods declare. */
    private static IOException failure(Throwable thrown) {
        if (thrown instanceof IOException failed) {
            return failed;
        }
        if (thrown instanceof RuntimeException failed) {
            throw failed;
        }
        if (thrown instanceof Error failed) {
            throw failed;
        }
        throw new IllegalStateException(thrown);
    }

    /** A new implementation of a socket, for a listener or a connection. */
    public static SocketImpl newSocket(boolean listener) {
        try {
            return (SocketImpl) NEW.invokeExact(listener);
        } catch (Throwable impossible) {
            throw new IllegalStateException(failure(impossible));
        }
    }

    public static void create(SocketImpl socket, boolean stream) throws IOException {
        try {
            CREATE.invokeExact(socket, stream);
        } catch (Throwable failed) {
            throw failure(failed);
        }
    }

    public static void connect(SocketImpl socket, SocketAddress address, int millis) throws IOException {
        try {
            CONNECT.invokeExact(socket, address, millis);
        } catch (Throwable failed) {
            throw failure(failed);
        }
    }

    public static void bind(SocketImpl socket, InetAddress address, int port) throws IOException {
        try {
            BIND.invokeExact(socket, address, port);
        } catch (Throwable failed) {
            throw failure(failed);
        }
    }

    public static void listen(SocketImpl socket, int backlog) throws IOException {
        try {
            LISTEN.invokeExact(socket, backlog);
        } catch (Throwable failed) {
            throw failure(failed);
        }
    }

    public static void accept(SocketImpl socket, SocketImpl accepted) throws IOException {
        try {
            ACCEPT.invokeExact(socket, accepted);
        } catch (Throwable failed) {
            throw failure(failed);
        }
    }

    public static InputStream in(SocketImpl socket) throws IOException {
        try {
            return (InputStream) INPUT.invokeExact(socket);
        } catch (Throwable failed) {
            throw failure(failed);
        }
    }

    public static OutputStream out(SocketImpl socket) throws IOException {
        try {
            return (OutputStream) OUTPUT.invokeExact(socket);
        } catch (Throwable failed) {
            throw failure(failed);
        }
    }

    public static int available(SocketImpl socket) throws IOException {
        try {
            return (int) AVAILABLE.invokeExact(socket);
        } catch (Throwable failed) {
            throw failure(failed);
        }
    }

    public static void close(SocketImpl socket) throws IOException {
        try {
            CLOSE.invokeExact(socket);
        } catch (Throwable failed) {
            throw failure(failed);
        }
    }

    public static void shutdownInput(SocketImpl socket) throws IOException {
        try {
            SHUTDOWN_INPUT.invokeExact(socket);
        } catch (Throwable failed) {
            throw failure(failed);
        }
    }

    public static void shutdownOutput(SocketImpl socket) throws IOException {
        try {
            SHUTDOWN_OUTPUT.invokeExact(socket);
        } catch (Throwable failed) {
            throw failure(failed);
        }
    }

    public static FileDescriptor descriptor(SocketImpl socket) {
        try {
            return (FileDescriptor) DESCRIPTOR.invokeExact(socket);
        } catch (Throwable impossible) {
            throw new IllegalStateException(failure(impossible));
        }
    }

    /** The system's number of the socket. */
    public static int descriptorNumber(SocketImpl socket) {
        return (int) DESCRIPTOR_NUMBER.get(descriptor(socket));
    }

    public static InetAddress address(SocketImpl socket) {
        try {
            return (InetAddress) ADDRESS.invokeExact(socket);
        } catch (Throwable impossible) {
            throw new IllegalStateException(failure(impossible));
        }
    }

    public static int port(SocketImpl socket) {
        try {
            return (int) PORT.invokeExact(socket);
        } catch (Throwable impossible) {
            throw new IllegalStateException(failure(impossible));
        }
    }

    public static int localPort(SocketImpl socket) {
        try {
            return (int) LOCAL_PORT.invokeExact(socket);
        } catch (Throwable impossible) {
            throw new IllegalStateException(failure(impossible));
        }
    }

    public static boolean supportsUrgentData(SocketImpl socket) {
        try {
            return (boolean) SUPPORTS_URGENT.invokeExact(socket);
        } catch (Throwable impossible) {
            throw new IllegalStateException(failure(impossible));
        }
    }

    public static void sendUrgentData(SocketImpl socket, int data) throws IOException {
        try {
            SEND_URGENT.invokeExact(socket, data);
        } catch (Throwable failed) {
            throw failure(failed);
        }
    }

    @SuppressWarnings("unchecked")
    public static Set<SocketOption<?>> supportedOptions(SocketImpl socket) {
        try {
            return (Set<SocketOption<?>>) SUPPORTED_OPTIONS.invokeExact(socket);
        } catch (Throwable impossible) {
            throw new IllegalStateException(failure(impossible));
        }
    }

    public static <T> void setOption(SocketImpl socket, SocketOption<T> option, T value) throws IOException {
        try {
            SET_OPTION.invokeExact(socket, (SocketOption<?>) option, (Object) value);
        } catch (Throwable failed) {
            throw failure(failed);
        }
    }

    @SuppressWarnings("unchecked")
    public static <T> T getOption(SocketImpl socket, SocketOption<T> option) throws IOException {
        try {
            return (T) GET_OPTION.invokeExact(socket, (SocketOption<?>) option);
        } catch (Throwable failed) {
            throw failure(failed);
        }
    }
}
