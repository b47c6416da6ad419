package org.galerna.messaging.stream;

import java.util.List;
import org.galerna.messaging.DecoderInputs;
import org.galerna.messaging.MessageDecoders;
import org.galerna.messaging.serialization.RecordSerializer;
import org.galerna.messaging.wire.TypeTable;
import org.galerna.messaging.wire.WireType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whatever comes of a stream is read or refused. */
class StreamDecodersTest {
    record Tick(String name, int number, @Nullable List<Tick> more) {}

    private static final TypeTable TYPES =
            new TypeTable(List.of(new WireType<>(7, 0, Tick.class, RecordSerializer.of(Tick.class), null)));

    @Test
    void messagesOfStreamsAreReadOrRefused() {
        new Target().readAll("messages of streams", DecoderInputs.NUMBER);
    }

    /** All of them. */
    public static final class Target extends MessageDecoders {
        public Target() {
            Tick tick = new Tick("a", 1, List.of(new Tick("b", 2, null)));
            add(
                    new StreamMessages.Item(3, 4, tick),
                    StreamMessages.itemType(() -> TYPES).serializer());
            add(new StreamMessages.End(5, "the publisher has failed"), StreamMessages.END.serializer());
            add(new StreamMessages.Demand(1, 100), StreamMessages.DEMAND.serializer());
            add(new StreamMessages.Open(1, 7), StreamMessages.OPEN.serializer());
        }
    }
}
