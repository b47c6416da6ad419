package org.galerna.messaging.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.galerna.messaging.DecoderInputs;
import org.galerna.messaging.FuzzTarget;
import org.galerna.messaging.serialization.Importer;
import org.galerna.messaging.serialization.MalformedMessageException;
import org.galerna.messaging.serialization.RecordSerializer;
import org.galerna.messaging.wire.TypeTable;
import org.galerna.messaging.wire.WireType;
import org.galerna.testkit.Seeds;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whatever comes of a stream is read or refused. */
class StreamDecodersTest {
    private static final int INPUTS = DecoderInputs.NUMBER;

    record Tick(String name, int number, @Nullable List<Tick> more) {}

    private static final TypeTable TYPES =
            new TypeTable(List.of(new WireType<>(7, 0, Tick.class, RecordSerializer.of(Tick.class), null)));

    private final Random random = new Random(Seeds.next("stream decoders"));

    /** Returns how many were read. */
    private <T> int fuzz(T seed, WireType<T> type) {
        byte[] bytes = DecoderInputs.written(seed, type.serializer());
        Importer in = new Importer();
        int read = 0;
        for (int input = 0; input < INPUTS; input++) {
            byte[] changed = DecoderInputs.changed(bytes, 0, random);
            try {
                in.begin(changed, 0, changed.length, 0);
                T ignored = type.serializer().read(in, null);
                read++;
            } catch (MalformedMessageException refused) {
                if (refused.getMessage() == null) { // no assertion of AssertJ's, which would take most of the time
                    throw refused;
                }
            }
        }
        return read;
    }

    @Test
    void itemsAreReadOrRefused() {
        Tick tick = new Tick("a", 1, List.of(new Tick("b", 2, null)));
        int read = fuzz(new StreamMessages.Item(3, 4, tick), StreamMessages.itemType(() -> TYPES));
        assertThat(read).isBetween(INPUTS / 10, INPUTS - INPUTS / 10);
    }

    @Test
    void endsAreReadOrRefused() {
        int read = fuzz(new StreamMessages.End(5, "the publisher has failed"), StreamMessages.END);
        assertThat(read).isBetween(INPUTS / 10, INPUTS - INPUTS / 10);
    }

    @Test
    void demandIsReadOrRefused() {
        // what is missing at the end is zero
        assertThat(fuzz(new StreamMessages.Demand(1, 100), StreamMessages.DEMAND))
                .isPositive();
        assertThat(fuzz(new StreamMessages.Open(1, 7), StreamMessages.OPEN)).isPositive();
    }

    /** The first byte says which of the messages follows. */
    public static final class Target implements FuzzTarget {
        private static final List<WireType<?>> MESSAGES = List.of(
                StreamMessages.itemType(() -> TYPES), StreamMessages.END, StreamMessages.DEMAND, StreamMessages.OPEN);

        private final Importer in = new Importer();

        public Target() {}

        private static <T> byte[] seed(int kind, T message, WireType<T> type) {
            byte[] bytes = DecoderInputs.written(message, type.serializer());
            byte[] seed = new byte[1 + bytes.length];
            seed[0] = (byte) kind;
            System.arraycopy(bytes, 0, seed, 1, bytes.length);
            return seed;
        }

        @Override
        public List<byte[]> seeds() {
            Tick tick = new Tick("a", 1, List.of(new Tick("b", 2, null)));
            return List.of(
                    seed(0, new StreamMessages.Item(3, 4, tick), StreamMessages.itemType(() -> TYPES)),
                    seed(1, new StreamMessages.End(5, "the publisher has failed"), StreamMessages.END),
                    seed(2, new StreamMessages.Demand(1, 100), StreamMessages.DEMAND),
                    seed(3, new StreamMessages.Open(1, 7), StreamMessages.OPEN));
        }

        @Override
        public void read(byte[] bytes) {
            if (bytes.length == 0) {
                return;
            }
            try {
                in.begin(bytes, 1, bytes.length - 1, 0);
                Object ignored = MESSAGES.get(bytes[0] & 3).serializer().read(in, null);
            } catch (MalformedMessageException refused) {
                if (refused.getMessage() == null) {
                    throw refused;
                }
            }
        }
    }
}
