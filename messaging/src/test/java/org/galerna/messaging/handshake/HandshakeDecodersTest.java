package org.galerna.messaging.handshake;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.galerna.messaging.DecoderInputs;
import org.galerna.testkit.Seeds;
import org.junit.jupiter.api.Test;

/** Whatever comes before a link is read or refused. */
class HandshakeDecodersTest {
    private static final int INPUTS = DecoderInputs.NUMBER;

    private final Random random = new Random(Seeds.next("handshake decoders"));

    @Test
    void greetingsAreReadOrRefused() {
        byte[] seed = Greeting.ofLink(1, 2, 3).encode(new byte[Greeting.RANDOM_BYTES]);
        int read = 0;
        for (int input = 0; input < INPUTS; input++) {
            byte[] bytes =
                    Arrays.copyOf(DecoderInputs.changed(seed, 0, random), Greeting.BYTES); // so many are always read
            try {
                Greeting greeting = Greeting.decode(bytes);
                if (greeting.from() <= Greeting.MOST_NODE) {
                    read++;
                }
            } catch (ProtocolException refused) {
                if (refused.getMessage() == null) {
                    throw new AssertionError(refused);
                }
            }
        }
        assertThat(read).isBetween(INPUTS / 10, INPUTS - INPUTS / 10);
    }

    @Test
    void whatIsKnownOfNodesIsReadOrRefused() {
        byte[] host = "node1.example".getBytes(StandardCharsets.UTF_8);
        ByteBuffer seed =
                ByteBuffer.allocate(5 + 2 * (13 + host.length)).put((byte) 1).putInt(2);
        for (int node = 1; node <= 2; node++) {
            seed.putShort((short) node)
                    .putShort((short) 7000)
                    .putLong(node)
                    .put((byte) host.length)
                    .put(host);
        }
        int read = 0;
        for (int input = 0; input < INPUTS; input++) {
            Directory directory = new Directory();
            try {
                boolean ignored = directory.read(DecoderInputs.changed(seed.array(), 0, random));
                read++;
            } catch (ProtocolException refused) {
                if (refused.getMessage() == null || directory.nodes().size() > 2) {
                    throw new AssertionError(refused);
                }
            }
        }
        assertThat(read).isBetween(INPUTS / 10, INPUTS - INPUTS / 10);
    }
}
