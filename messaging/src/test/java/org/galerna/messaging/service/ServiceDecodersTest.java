package org.galerna.messaging.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.galerna.messaging.serialization.Exporter;
import org.galerna.messaging.serialization.Importer;
import org.galerna.messaging.serialization.MalformedMessageException;
import org.galerna.messaging.serialization.Serializer;
import org.galerna.messaging.serialization.Serializers;
import org.galerna.testkit.Seeds;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whatever comes as a call or a reply is read or refused. */
class ServiceDecodersTest {
    private static final int INPUTS = Integer.getInteger("galerna.test.decoder.inputs", 100_000);

    record Item(String name, int count, @Nullable Item next) {}

    interface Store {
        Map<String, Item> find(List<Item> items, Optional<Item> more, int most, String[] names);
    }

    private static final ServiceMethod METHOD =
            ServiceMethod.of(Store.class, Serializers.NONE).getFirst();

    private final Random random = new Random(Seeds.next("service decoders"));

    private static <T> byte[] write(T value, Serializer<T> serializer) {
        byte[] bytes = new byte[10_000];
        Exporter out = new Exporter(_ -> {
            throw new IllegalStateException("longer than that");
        });
        out.begin(bytes, 0, bytes.length);
        serializer.write(value, out);
        return Arrays.copyOf(bytes, out.written());
    }

    private <T> void fuzz(T seed, Serializer<T> serializer) {
        byte[] bytes = write(seed, serializer);
        Importer in = new Importer();
        int read = 0;
        for (int input = 0; input < INPUTS; input++) {
            byte[] changed =
                    random.nextInt(4) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes.clone();
            for (int changes = random.nextInt(4); changes > 0 && changed.length > 8; changes--) {
                int at = Long.BYTES + random.nextInt(changed.length - Long.BYTES); // behind the key
                changed[at] =
                        random.nextBoolean() ? (byte) random.nextInt() : (byte) (changed[at] ^ 1 << random.nextInt(8));
            }
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
        assertThat(read).isBetween(INPUTS / 10, INPUTS - INPUTS / 10);
    }

    @Test
    void callsAreReadOrRefused() {
        Item item = new Item("a", 1, new Item("b", 2, null));
        fuzz(
                new ServiceCall(METHOD, List.of(item, item), Optional.of(item), 7, new String[] {"a", "b"}),
                ServiceCall.serializer(key -> key == METHOD.key() ? METHOD : null));
    }

    @Test
    void repliesAreReadOrRefused() {
        Serializer<ServiceReply> serializer = ServiceReply.serializer(key -> key == METHOD.key() ? METHOD : null);
        fuzz(new ServiceReply(METHOD, Map.of("a", new Item("a", 1, null)), null), serializer);
        fuzz(
                new ServiceReply(METHOD, null, ServiceReply.Thrown.of(new IllegalStateException("the reason"))),
                serializer);
    }
}
