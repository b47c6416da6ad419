package org.galerna.nativeaccess.socket;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.galerna.nativeaccess.file.PosixFiles;
import org.galerna.nativeaccess.thread.Processor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SocketIdentityTest {
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void namesBothEndsOfAConnection(String host) throws IOException {
        InetAddress address = InetAddress.getByName(host);
        try (ServerSocket listener = new ServerSocket(0, 5, address);
                Socket client = new Socket(address, listener.getLocalPort())) {
            InetSocketAddress near = (InetSocketAddress) client.getLocalSocketAddress();
            InetSocketAddress far = (InetSocketAddress) client.getRemoteSocketAddress();
            SocketIdentity waiting = SocketIdentity.of(far, near).orElseThrow();
            assertThat(waiting.user())
                    .isEqualTo(PosixFiles.instance().orElseThrow().user());
            assertThat(waiting.cookie())
                    .isNotZero()
                    .isNotEqualTo(SocketIdentity.of(near, far).orElseThrow().cookie());
            try (Socket accepted = listener.accept()) {
                assertThat(accepted.isConnected()).isTrue();
                assertThat(SocketIdentity.of(far, near).orElseThrow())
                        .as("the same socket before and after it is accepted")
                        .isEqualTo(waiting);
            }
            try (Socket other = new Socket(address, listener.getLocalPort());
                    Socket ignored = listener.accept()) {
                assertThat(ignored.isConnected()).isTrue();
                assertThat(SocketIdentity.of(far, (InetSocketAddress) other.getLocalSocketAddress())
                                .orElseThrow()
                                .cookie())
                        .isNotEqualTo(waiting.cookie());
            }
        }
    }

    @Test
    void findsNobodyWhereNobodyIs() throws IOException {
        InetSocketAddress nobody = new InetSocketAddress(InetAddress.getByName("127.0.0.9"), 9);
        assertThat(SocketIdentity.of(nobody, nobody)).isEmpty();
    }

    @Test
    void theProcessorIsOneOfTheMachine() {
        assertThat(Processor.current()).isBetween(0, 1 << 16);
    }
}
