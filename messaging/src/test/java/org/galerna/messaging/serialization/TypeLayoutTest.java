package org.galerna.messaging.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Currency;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.galerna.messaging.DecoderInputs;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which changes of a record are told from each other. */
@SuppressWarnings({"unused", "ArrayRecordComponent", "SameNameButDifferent"})
class TypeLayoutTest {
    private static final int INPUTS = DecoderInputs.NUMBER;

    enum Colour {
        RED,
        BLUE
    }

    sealed interface Shape permits Circle, Square {}

    record Circle(double radius) implements Shape {}

    record Square(double side) implements Shape {}

    record Item(String name, Colour colour, @Nullable Item next) {}

    record Order(
            int number, List<Item> items, Map<String, Optional<Shape>> shapes, int[][] sizes, Set<Colour> colours) {}

    /** The same in another class, as another program has it. */
    static final class Newer {
        enum Colour {
            RED,
            BLUE,
            GREEN
        }

        sealed interface Shape permits Circle, Square, Triangle {}

        record Circle(double radius, int more) implements Shape {}

        record Square(double side) implements Shape {}

        record Triangle(double side) implements Shape {}

        record Item(String name, Colour colour, @Nullable Item next, long price) {}

        record Order(
                int id,
                List<Item> items,
                Map<String, Optional<Shape>> shapes,
                int[][] sizes,
                Colour[] colours,
                String more) {}

        private Newer() {}
    }

    static final class Moved {
        enum Colour {
            BLUE,
            RED
        }

        record Coloured(Colour colour) {}

        record Swapped(int second, int first) {}

        record Dropped(String second) {}

        sealed interface Shape permits Square, Circle {}

        record Square(double side) implements Shape {}

        record Circle(double radius) implements Shape {}

        record Shaped(Optional<Shape> shape) {}

        record Wide(List<Map<String, Long>> numbers) {}

        private Moved() {}
    }

    record Coloured(Colour colour) {}

    record Swapped(int first, int second) {}

    record Dropped(String first, String second) {}

    record Shaped(Optional<Shape> shape) {}

    record Wide(List<Map<String, Integer>> numbers) {}

    record Priced(Currency currency) {}

    record PricedByText(String currency) {}

    private static TypeLayout layout(Class<?> type) {
        return RecordSerializer.of(type).layout();
    }

    private static @Nullable String difference(Class<?> own, Class<?> other) {
        String found = layout(own).difference(layout(other));
        assertThat(layout(other).difference(layout(own)) == null).isEqualTo(found == null);
        return found;
    }

    @Test
    void whatIsAddedAtTheEndAndOtherNamesAreNoDifference() {
        assertThat(difference(Order.class, Order.class)).isNull();
        assertThat(difference(Order.class, Newer.Order.class)).isNull();
    }

    @Test
    void whatWouldBeReadWronglyIsNamed() {
        assertThat(difference(Coloured.class, Moved.Coloured.class))
                .isEqualTo(
                        "component colour: number 1 of " + Colour.class.getTypeName() + " is RED here, and BLUE there");
        assertThat(difference(Swapped.class, Moved.Swapped.class)).contains("is first here, and second there");
        assertThat(difference(Dropped.class, Moved.Dropped.class)).contains("is first here, and second there");
        assertThat(difference(Shaped.class, Moved.Shaped.class))
                .startsWith("component shape.(element): ")
                .contains("is Circle here, and Square there");
        assertThat(difference(Wide.class, Moved.Wide.class))
                .isEqualTo("component numbers.(element).(element) is java.lang.Integer here, and java.lang.Long there");
    }

    @Test
    void aSerializerOfOnesOwnIsNoneOfTheOthers() {
        Serializer<Currency> serializer = new Serializer<>() {
            @Override
            public void write(Currency value, Exporter out) {
                out.writeString(value.getCurrencyCode());
            }

            @Override
            public Currency read(Importer in, @Nullable Currency reused) {
                return Currency.getInstance(in.readString());
            }
        };
        TypeLayout own = RecordSerializer.of(Priced.class, Serializers.with(Currency.class, serializer))
                .layout();
        assertThat(own.difference(own)).isNull();
        assertThat(own.difference(layout(PricedByText.class)))
                .contains("currency is what its own serializer writes here");
    }

    /** As deep as another node may say that its layout is, with a layout here that goes round in a circle. */
    @Test
    void aLayoutThatIsVeryDeepIsCompared() {
        int depth = 50_000;
        List<TypeLayout.Shape> shapes = new ArrayList<>();
        for (int each = 1; each < depth; each++) {
            shapes.add(
                    new TypeLayout.Shape(TypeLayout.Kind.RECORD, "Deep", List.of(new TypeLayout.Member("next", each))));
        }
        shapes.add(new TypeLayout.Shape(TypeLayout.Kind.VALUE, "int", List.of()));
        TypeLayout deep = new TypeLayout(shapes);
        TypeLayout circle = new TypeLayout(List.of(
                new TypeLayout.Shape(TypeLayout.Kind.RECORD, "Round", List.of(new TypeLayout.Member("next", 0)))));
        assertThat(deep.difference(deep)).isNull();
        assertThat(circle.difference(deep))
                .startsWith("component ….next.next.")
                .endsWith("(of Round) is Round here, and int there")
                .hasSizeLessThan(200);
    }

    /** Java's compiler takes some thousands. */
    @Test
    void anEnumOfManyConstantsIsReadAgain() throws IOException {
        List<TypeLayout.Member> constants = IntStream.range(0, 4000)
                .mapToObj(number -> new TypeLayout.Member("C" + number, -1))
                .toList();
        TypeLayout layout = new TypeLayout(List.of(
                new TypeLayout.Shape(TypeLayout.Kind.RECORD, "Coloured", List.of(new TypeLayout.Member("colour", 1))),
                new TypeLayout.Shape(TypeLayout.Kind.ENUM, "Colour", constants)));
        assertThat(decode(layout.encode())).isEqualTo(layout);
    }

    private static TypeLayout decode(byte[] bytes) throws IOException {
        return TypeLayout.decode(new DataInputStream(new ByteArrayInputStream(bytes)));
    }

    @Test
    void bytesOfALayoutAreReadOrRefused() throws IOException {
        TypeLayout order = layout(Order.class);
        byte[] bytes = order.encode();
        assertThat(decode(bytes)).isEqualTo(order);
        byte[] many = {0, 0x7f, 0, 0};
        assertThatThrownBy(() -> decode(many)).isInstanceOf(IOException.class);
        DecoderInputs.read("layouts", INPUTS, List.of(bytes), changed -> {
            TypeLayout other = decode(changed);
            String ignored = order.difference(other);
            ignored = other.difference(order);
        });
    }

    /** A part without a name takes six bytes, and ten times as much memory. */
    @Test
    void theMemoryThatALayoutTakesIsLimited() throws IOException {
        int members = TypeLayout.MOST_PARTS / 2;
        ByteBuffer bytes = ByteBuffer.allocate(4 + 2 * (1 + 2 + 4 + 6 * members));
        bytes.putInt(2);
        for (int each = 0; each < 2; each++) {
            bytes.put((byte) 4).putShort((short) 0).putInt(members).position(bytes.position() + 6 * members);
        }
        assertThatThrownBy(() -> decode(bytes.array()))
                .isInstanceOf(IOException.class)
                .hasMessage("a layout has " + members + " parts more, and " + (members - 2) + " are taken");
        bytes.putInt(4 + 7 + 6 * members + 3, members - 2);
        assertThat(decode(bytes.array()).encode()).hasSize(bytes.capacity() - 12);
    }
}
