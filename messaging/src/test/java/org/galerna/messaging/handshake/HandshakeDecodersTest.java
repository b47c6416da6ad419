package org.galerna.messaging.handshake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.galerna.messaging.DecoderInputs;
import org.galerna.messaging.FuzzTarget;
import org.galerna.messaging.serialization.RecordSerializer;
import org.galerna.messaging.serialization.TypeLayout;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whatever comes before a link is read or refused. */
@SuppressWarnings({"unused", "SameNameButDifferent"})
class HandshakeDecodersTest {
    private static final int INPUTS = DecoderInputs.NUMBER;

    @Test
    void greetingsAreReadOrRefused() {
        byte[] seed = Greeting.ofLink(1, 2, 3).encode(new byte[Greeting.RANDOM_BYTES]);
        DecoderInputs.read("greetings", INPUTS, List.of(seed), HandshakeDecodersTest::readGreeting);
    }

    private static void readGreeting(byte[] bytes) throws IOException {
        Greeting greeting = Greeting.decode(Arrays.copyOf(bytes, Greeting.BYTES)); // so many are always read
        if (greeting.from() > Greeting.MOST_NODE) {
            throw new AssertionError("from node " + greeting.from());
        }
    }

    record Item(String name, int count, @Nullable Item next) {}

    record Order(int number, List<Item> items, Map<String, Colour> colours) {}

    enum Colour {
        RED,
        BLUE
    }

    /** The same names, as another program has them. */
    static final class Other {
        record Item(String name, int count, @Nullable Item next, long more) {}

        record Order(int number, List<Item> items, Map<String, Integer> colours) {}

        private Other() {}
    }

    private static Introduction introduction(Class<?> item, Class<?> order) {
        TypeLayout items = RecordSerializer.of(item.asSubclass(Record.class)).layout();
        TypeLayout orders = RecordSerializer.of(order.asSubclass(Record.class)).layout();
        return new Introduction(
                1 << 20,
                1 << 26,
                Map.of(1, new Introduction.Known(0, "item", items), 2, new Introduction.Known(0, "order", orders)),
                Map.of(7L, items, 8L, orders));
    }

    private static final Introduction OWN = introduction(Item.class, Order.class);
    private static final Introduction OTHER = introduction(Other.Item.class, Other.Order.class);

    @Test
    void introductionsAreReadOrRefused() throws IOException {
        Introduction own = OWN;
        Introduction other = OTHER;
        Introduction.Summary summary = own.summary(other.own());
        assertThat(summary.differing()).hasSize(2);
        byte[] layouts = other.layouts(other.summary(own.own()).differing().values());
        Introduction.Peer peer = own.peer(2, summary, layouts);
        assertThat(peer.differences()).containsOnlyKeys(2);
        assertThat(peer.offered()).containsOnlyKeys(7L, 8L);
        DecoderInputs.read("summaries", INPUTS, List.of(other.own()), own::summary);
        DecoderInputs.read("layouts of two nodes", INPUTS, List.of(layouts), bytes -> own.peer(2, summary, bytes));
    }

    /** Otherwise no other node would talk to it, and none would say why. */
    @Test
    void aNodeWithMoreToSayThanOthersTakeIsNotMade() throws IOException {
        int names = 100;
        int length = Introduction.MOST_BYTES / names;
        ByteBuffer bytes = ByteBuffer.allocate(4 + 1 + 2 + 4 + names * (2 + length + 4));
        bytes.putInt(1).put((byte) 5).putShort((short) 0).putInt(names);
        for (int each = 0; each < names; each++) {
            bytes.putShort((short) length)
                    .put("a".repeat(length).getBytes(StandardCharsets.UTF_8))
                    .putInt(-1);
        }
        TypeLayout large = TypeLayout.decode(new DataInputStream(new ByteArrayInputStream(bytes.array())));
        assertThatThrownBy(() -> new Introduction(1, 1, Map.of(1, new Introduction.Known(0, "large", large)), Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("its 1 types and the 0 methods that it offers take " + bytes.capacity())
                .hasMessageContaining("register fewer");
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
        DecoderInputs.read("nodes", INPUTS, List.of(seed.array()), bytes -> {
            Directory directory = new Directory();
            try {
                boolean ignored = directory.read(bytes);
            } catch (ProtocolException refused) {
                if (directory.nodes().size() > bytes.length / 14) {
                    throw new AssertionError(refused);
                }
                throw refused;
            }
        });
    }

    /** The first byte says which of the messages follows. */
    public static final class Target implements FuzzTarget {
        public Target() {}

        private static byte[] seed(int kind, byte[] bytes) {
            return ByteBuffer.allocate(1 + bytes.length)
                    .put((byte) kind)
                    .put(bytes)
                    .array();
        }

        @Override
        public List<byte[]> seeds() {
            try {
                byte[] node = ByteBuffer.allocate(20)
                        .put((byte) 0)
                        .putInt(1)
                        .putShort((short) 1)
                        .putShort((short) 7000)
                        .putLong(1)
                        .put((byte) 2)
                        .put((byte) 'h')
                        .put((byte) '1')
                        .array();
                return List.of(
                        seed(0, Greeting.ofLink(1, 2, 3).encode(new byte[Greeting.RANDOM_BYTES])),
                        seed(1, node),
                        seed(2, OTHER.own()),
                        seed(
                                3,
                                OTHER.layouts(
                                        OTHER.summary(OWN.own()).differing().values())));
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
        }

        @Override
        public void read(byte[] bytes) {
            if (bytes.length == 0) {
                return;
            }
            byte[] message = Arrays.copyOfRange(bytes, 1, bytes.length);
            boolean ignored = DecoderInputs.isRead(message, decoder(bytes[0] & 3));
        }

        private static DecoderInputs.Decoder decoder(int kind) {
            return switch (kind) {
                case 0 -> HandshakeDecodersTest::readGreeting;
                case 1 -> new Directory()::read;
                case 2 -> OWN::summary;
                default -> bytes -> OWN.peer(2, OWN.summary(OTHER.own()), bytes);
            };
        }
    }
}
