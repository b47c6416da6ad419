package org.galerna.messaging.handshake;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.galerna.messaging.DecoderInputs;
import org.galerna.messaging.FuzzTarget;
import org.galerna.messaging.serialization.RecordSerializer;
import org.galerna.messaging.serialization.TypeLayout;
import org.galerna.testkit.Seeds;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whatever comes before a link is read or refused. */
@SuppressWarnings({"unused", "SameNameButDifferent"})
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

    /** Returns how many were read. */
    private int introduced(byte[] seed, Decoder decoder) throws IOException {
        int read = 0;
        for (int input = 0; input < INPUTS; input++) {
            try {
                decoder.read(DecoderInputs.changed(seed, 0, random));
                read++;
            } catch (IOException refused) {
                if (refused.getMessage() == null) { // it stands in the log
                    throw refused;
                }
            }
        }
        return read;
    }

    private interface Decoder {
        void read(byte[] bytes) throws IOException;
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
        assertThat(introduced(other.own(), own::summary)).isBetween(INPUTS / 10, INPUTS - INPUTS / 10);
        assertThat(introduced(layouts, bytes -> own.peer(2, summary, bytes)))
                .isBetween(INPUTS / 10, INPUTS - INPUTS / 10);
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
            try {
                switch (bytes[0] & 3) {
                    case 0 -> {
                        Greeting ignored = Greeting.decode(Arrays.copyOf(message, Greeting.BYTES));
                    }
                    case 1 -> {
                        boolean ignored = new Directory().read(message);
                    }
                    case 2 -> {
                        Introduction.Summary ignored = OWN.summary(message);
                    }
                    default -> {
                        Introduction.Peer ignored = OWN.peer(2, OWN.summary(OTHER.own()), message);
                    }
                }
            } catch (IOException refused) {
                if (refused.getMessage() == null) {
                    throw new UncheckedIOException(refused);
                }
            }
        }
    }
}
