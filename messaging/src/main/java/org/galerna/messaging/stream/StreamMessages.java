package org.galerna.messaging.stream;

import java.util.function.Supplier;
import org.galerna.messaging.serialization.Exporter;
import org.galerna.messaging.serialization.Importer;
import org.galerna.messaging.serialization.MalformedMessageException;
import org.galerna.messaging.serialization.RecordSerializer;
import org.galerna.messaging.serialization.Serializer;
import org.galerna.messaging.wire.MessageContents;
import org.galerna.messaging.wire.TypeTable;
import org.galerna.messaging.wire.WireType;
import org.jspecify.annotations.Nullable;

/**
 * What two nodes tell each other of a stream. The subscription is a request, whose response ends the stream. All numbers
 * are totals, for messages of several threads may overtake each other.
 *
 * <pre>
 *  subscriber                        publisher
 *            ---  Open (a request)   --&gt;
 *            &lt;--  Opened            ---
 *            ---  Demand (total)     --&gt;   again and again
 *            &lt;--  Item (number)      ---   again and again
 *            ---  Cancel             --&gt;   or
 *            &lt;--  End (the response) ---
 * </pre>
 */
final class StreamMessages {
    private static final int FIRST = TypeTable.FIRST_INTERNAL_ID + 3;

    /**
     * Asks for a stream.
     *
     * @param stream its number, chosen by the subscriber
     * @param type number of the type of its messages
     */
    record Open(long stream, int type) {}

    /** There is a publisher, which waits for demand. */
    record Opened(long stream) {}

    /**
     * Asks for items.
     *
     * @param total how many since the beginning
     */
    record Demand(long stream, long total) {}

    /** No more items are wanted. */
    record Cancel(long stream) {}

    /**
     * The end.
     *
     * @param items how many were sent
     * @param failure why it has failed; null if it has not
     */
    record End(long items, @Nullable String failure) {}

    /**
     * A message of a stream.
     *
     * @param number how many were sent before it
     */
    record Item(long stream, long number, Object message) {}

    static final WireType<Open> OPEN = WireType.of(
            FIRST, Open.class, RecordSerializer.of(Open.class), open -> new MessageContents.Subscription(open.type));
    static final WireType<Opened> OPENED = type(1, Opened.class, RecordSerializer.of(Opened.class));
    static final WireType<Demand> DEMAND = type(2, Demand.class, RecordSerializer.of(Demand.class));
    static final WireType<Cancel> CANCEL = type(3, Cancel.class, RecordSerializer.of(Cancel.class));
    static final WireType<End> END = type(4, End.class, RecordSerializer.of(End.class));

    private StreamMessages() {}

    private static <T> WireType<T> type(int number, Class<T> type, Serializer<T> serializer) {
        return new WireType<>(FIRST + number, 0, type, serializer, null);
    }

    /** The type of items, whose messages are of the types that the node knows. */
    static WireType<Item> itemType(Supplier<TypeTable> types) {
        return type(5, Item.class, new Serializer<>() {
            @Override
            public void write(Item item, Exporter out) {
                out.writeLong(item.stream);
                out.writeLong(item.number);
                writeMessage(types.get().of(item.message), item.message, out);
            }

            private <T> void writeMessage(WireType<T> type, T message, Exporter out) {
                out.writeCount(type.id());
                out.writeByte((byte) type.version());
                type.serializer().write(message, out);
            }

            @Override
            public Item read(Importer in, @Nullable Item reused) {
                long stream = in.readLong();
                long number = in.readLong();
                WireType<?> type = types.get().find(in.readCount());
                if (type == null) {
                    throw new MalformedMessageException(
                            "an item of a stream is of a type that this node does not know");
                }
                in.beginVersion(Byte.toUnsignedInt(in.readByte()));
                return new Item(stream, number, type.serializer().read(in, null));
            }
        });
    }
}
