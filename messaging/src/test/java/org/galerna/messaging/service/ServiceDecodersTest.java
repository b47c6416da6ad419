package org.galerna.messaging.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.galerna.messaging.DecoderInputs;
import org.galerna.messaging.FuzzTarget;
import org.galerna.messaging.serialization.Importer;
import org.galerna.messaging.serialization.MalformedMessageException;
import org.galerna.messaging.serialization.Serializer;
import org.galerna.messaging.serialization.Serializers;
import org.galerna.messaging.wire.RefusedCall;
import org.galerna.testkit.Seeds;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whatever comes as a call or a reply is read or refused. */
class ServiceDecodersTest {
    private static final int INPUTS = DecoderInputs.NUMBER;

    record Item(String name, int count, @Nullable Item next) {}

    interface Store {
        Map<String, Item> find(List<Item> items, Optional<Item> more, int most, String[] names);
    }

    private static final ServiceMethod METHOD =
            ServiceMethod.of(Store.class, Serializers.NONE).getFirst();

    private final Random random = new Random(Seeds.next("service decoders"));

    private <T> void fuzz(T seed, Serializer<T> serializer) {
        fuzz(seed, serializer, INPUTS);
    }

    private <T> void fuzz(T seed, Serializer<T> serializer, int inputs) {
        byte[] bytes = DecoderInputs.written(seed, serializer);
        Importer in = new Importer();
        int read = 0;
        for (int input = 0; input < inputs; input++) {
            byte[] changed = DecoderInputs.changed(bytes, Long.BYTES, random); // behind the key
            try {
                in.begin(changed, 0, changed.length, 0);
                T ignored = serializer.read(in, null);
                read++;
            } catch (MalformedMessageException refused) {
                if (refused.getMessage() == null) { // no assertion of AssertJ's, which would take most of the time
                    throw refused;
                }
            }
        }
        assertThat(read).isBetween(inputs / 10, inputs - inputs / 10);
    }

    @Test
    void callsAreReadOrRefused() {
        Item item = new Item("a", 1, new Item("b", 2, null));
        fuzz(
                new ServiceCall(METHOD, List.of(item, item), Optional.of(item), 7, new String[] {"a", "b"}),
                ServiceCall.serializer(key -> key == METHOD.key() ? METHOD : null));
    }

    @Test
    void callsThatAreNotMadeAreReadOrRefused() {
        // in the main a layout, which has a test of its own
        fuzz(new RefusedCall(METHOD.key(), METHOD.layout()), RefusedCall.TYPE.serializer(), INPUTS / 10);
    }

    @Test
    void repliesAreReadOrRefused() {
        Serializer<ServiceReply> serializer = ServiceReply.serializer(key -> key == METHOD.key() ? METHOD : null);
        fuzz(new ServiceReply(METHOD, Map.of("a", new Item("a", 1, null)), null), serializer);
        fuzz(
                new ServiceReply(METHOD, null, ServiceReply.Thrown.of(new IllegalStateException("the reason"))),
                serializer);
    }

    /** The first byte says which of the messages follows; the key of the method stands before what Jazzer makes up. */
    public static final class Target implements FuzzTarget {
        private static final List<Serializer<?>> SERIALIZERS = List.of(
                ServiceCall.serializer(_ -> METHOD),
                ServiceReply.serializer(_ -> METHOD),
                RefusedCall.TYPE.serializer());

        private final Importer in = new Importer();

        public Target() {}

        private static <T> byte[] seed(int kind, T message, Serializer<T> serializer) {
            byte[] bytes = DecoderInputs.written(message, serializer);
            byte[] seed = new byte[1 + bytes.length];
            seed[0] = (byte) kind;
            System.arraycopy(bytes, 0, seed, 1, bytes.length);
            return seed;
        }

        @Override
        public List<byte[]> seeds() {
            Item item = new Item("a", 1, new Item("b", 2, null));
            Serializer<ServiceReply> replies = ServiceReply.serializer(_ -> METHOD);
            return List.of(
                    seed(
                            0,
                            new ServiceCall(METHOD, List.of(item), Optional.of(item), 7, new String[] {"a", "b"}),
                            ServiceCall.serializer(_ -> METHOD)),
                    seed(1, new ServiceReply(METHOD, Map.of("a", item), null), replies),
                    seed(
                            1,
                            new ServiceReply(METHOD, null, ServiceReply.Thrown.of(new IllegalStateException())),
                            replies),
                    seed(2, new RefusedCall(METHOD.key(), METHOD.layout()), RefusedCall.TYPE.serializer()));
        }

        @Override
        public void read(byte[] bytes) {
            if (bytes.length == 0) {
                return;
            }
            try {
                in.begin(bytes, 1, bytes.length - 1, 0);
                Object ignored = SERIALIZERS
                        .get(Math.floorMod(bytes[0], SERIALIZERS.size()))
                        .read(in, null);
            } catch (MalformedMessageException refused) {
                if (refused.getMessage() == null) {
                    throw refused;
                }
            }
        }
    }
}
