package org.galerna.messaging.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.galerna.messaging.DecoderInputs;
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
}
