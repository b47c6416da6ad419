package org.galerna.messaging.rendezvous;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class DoorTest {
    private static final int TIMES = 200;

    private static Door open(InetSocketAddress address) throws IOException {
        Door door = new Door("door", address, channel -> false);
        door.open();
        return door;
    }

    /** A port that the system does not give to others meanwhile: those are of the range for clients. */
    private static InetSocketAddress address() throws IOException {
        for (int port = 20_000; ; port++) {
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            try (Door free = open(address)) {
                return free.address();
            } catch (IOException taken) {
                if (port == 30_000) {
                    throw taken;
                }
            }
        }
    }

    @Test
    void anAddressIsFreeWhenTheDoorIsClosed() throws IOException {
        InetSocketAddress address = address();
        for (int time = 0; time < TIMES; time++) {
            open(address).close();
        }
    }

    @Test
    void anAddressThatIsTakenIsNamed() throws IOException {
        try (Door door = open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            assertThatThrownBy(() -> open(door.address()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(door.address().toString());
        }
    }
}
