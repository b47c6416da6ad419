package org.galerna.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileDescriptor;
import java.io.IOException;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketImpl;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What programs do with sockets that they derive from, or look into. */
class SocketImplTest {
    @BeforeAll
    static void install() {
        FastSockets.install();
    }

    /** Accepts with a socket that it is given. */
    private static final class Listener extends ServerSocket {
        private final Socket next;

        Listener(Socket next) throws IOException {
            super(0, 0, InetAddress.getLoopbackAddress());
            this.next = next;
        }

        @Override
        public Socket accept() throws IOException {
            implAccept(next);
            return next;
        }
    }

    @Test
    void nothingIsAcceptedWithASocketThatIsClosed() throws Exception {
        Socket closed = new Socket();
        closed.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        closed.close();
        try (Listener listener = new Listener(closed);
                Socket peer = new Socket(listener.getInetAddress(), listener.getLocalPort())) {
            assertThatThrownBy(listener::accept).isInstanceOf(SocketException.class);
            assertThat(peer.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void whatIsAcceptedWithAnOpenSocketIsConnected() throws Exception {
        try (Socket open = new Socket();
                Listener listener = new Listener(open);
                Socket peer = new Socket(listener.getInetAddress(), listener.getLocalPort())) {
            assertThat(listener.accept()).isSameAs(open);
            peer.getOutputStream().write(7);
            assertThat(open.getInputStream().read()).isEqualTo(7);
        }
    }

    @Test
    void theDescriptorIsWhereThePlatformsImplementationHasIt() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
                Socket client = new Socket(listener.getInetAddress(), listener.getLocalPort());
                Socket server = listener.accept()) {
            assertThat(descriptor(ServerSocket.class, listener).valid()).isTrue();
            assertThat(descriptor(Socket.class, client).valid()).isTrue();
            assertThat(descriptor(Socket.class, server).valid()).isTrue();
        }
    }

    private static FileDescriptor descriptor(Class<?> type, Object socket) throws ReflectiveOperationException {
        Field implementation = type.getDeclaredField("impl");
        implementation.setAccessible(true);
        Field descriptor = SocketImpl.class.getDeclaredField("fd");
        descriptor.setAccessible(true);
        return (FileDescriptor) descriptor.get(implementation.get(socket));
    }
}
