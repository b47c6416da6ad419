package org.galerna.messaging.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Currency;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.galerna.messaging.MessageType;
import org.galerna.messaging.serialization.AllComponents.All;
import org.galerna.messaging.serialization.AllComponents.Leaf;
import org.galerna.messaging.serialization.AllComponents.Mode;
import org.galerna.messaging.serialization.AllComponents.Pair;
import org.galerna.messaging.serialization.AllComponents.Result;
import org.galerna.messaging.serialization.AllComponents.Shape;
import org.galerna.testkit.Seeds;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What people put into records, with nulls, empties and extremes. */
@SuppressWarnings({"ArrayRecordComponent", "NullableOptional"})
class RecordComponentsTest {
    private static final RecordSerializer<All> ALL = RecordSerializer.of(All.class);

    private static <T> T copy(T value, Serializer<T> serializer) {
        byte[] bytes = Pieces.write(value, serializer, _ -> 1 << 16);
        assertThat(Exporter.measure(value, serializer)).isEqualTo(bytes.length);
        assertThat(Pieces.write(value, serializer, _ -> 7)).isEqualTo(bytes);
        T read = Pieces.read(bytes, serializer, _ -> 1 << 16);
        assertThat(Pieces.write(Pieces.read(bytes, serializer, _ -> 3), serializer, _ -> 1 << 16))
                .isEqualTo(bytes);
        return read;
    }

    static List<All> examples() {
        return List.of(
                AllComponents.nulls(), AllComponents.empties(), AllComponents.smallest(), AllComponents.greatest());
    }

    @ParameterizedTest
    @MethodSource("examples")
    void everyComponentSurvives(All value) {
        assertThat(AllComponents.text(copy(value, ALL))).isEqualTo(AllComponents.text(value));
    }

    @Test
    void randomValuesSurvive() {
        AllComponents.Source random = new AllComponents.Source(Seeds.next("components"));
        for (int round = 0; round < 200; round++) {
            All value = random.all();
            assertThat(AllComponents.text(copy(value, ALL))).isEqualTo(AllComponents.text(value));
        }
    }

    // ---- types

    record Deep(Map<String, List<Map<Integer, Set<Pair<Shape, int[][]>>>>> deep) {}

    @Test
    void typesLieWithinEachOther() {
        Deep deep = new Deep(Map.of("a", List.of(Map.of(1, Set.of(new Pair<>(new Shape.Circle(1.5), new int[][] {
            {1}, {}, {2, 3}
        }))))));
        Pair<Shape, int[][]> read = copy(deep, RecordSerializer.of(Deep.class))
                .deep()
                .get("a")
                .getFirst()
                .get(1)
                .iterator()
                .next();
        assertThat(read.first()).isEqualTo(new Shape.Circle(1.5));
        assertThat(read.second()).isEqualTo(new int[][] {{1}, {}, {2, 3}});
    }

    record Results(List<Result<Leaf>> results, Result<List<String>> one, Result<? extends Shape> shape) {}

    @Test
    void sealedTypesHandTheirArgumentsOn() {
        Results results = new Results(
                List.of(new Result.Ok<>(new Leaf("x")), new Result.Failed<>("why")),
                new Result.Ok<>(List.of("a", "b")),
                new Result.Ok<>(new Shape.Square(2)));
        assertThat(copy(results, RecordSerializer.of(Results.class))).isEqualTo(results);
    }

    sealed interface Expression {
        record Constant(int value) implements Expression {}

        record Sum(Expression left, Expression right) implements Expression {}

        record Call(String name, List<Expression> arguments, Map<String, Expression> named) implements Expression {}
    }

    record Formula(Expression root) {}

    @Test
    void treesOfSealedTypesSurvive() {
        Formula formula = new Formula(new Expression.Sum(
                new Expression.Constant(1),
                new Expression.Call(
                        "f",
                        List.of(new Expression.Constant(2)),
                        Map.of("x", new Expression.Sum(new Expression.Constant(3), new Expression.Constant(4))))));
        assertThat(copy(formula, RecordSerializer.of(Formula.class))).isEqualTo(formula);
    }

    record Bounded<T extends Shape>(T shape, List<T> more) {}

    @Test
    void aVariableThatNothingBindsIsWhatItsBoundSays() {
        Bounded<Shape> bounded = new Bounded<>(new Shape.Circle(1), List.of(new Shape.Square(2)));
        @SuppressWarnings("unchecked")
        Serializer<Bounded<Shape>> serializer =
                (Serializer<Bounded<Shape>>) (Serializer<?>) RecordSerializer.of(Bounded.class);
        assertThat(copy(bounded, serializer)).isEqualTo(bounded);
    }

    record Kinds(List<String> list, Set<String> set, Map<String, Integer> map) {}

    @Test
    void anyKindOfCollectionIsWritten() {
        Map<String, Integer> tree = new TreeMap<>(Map.of("b", 2, "a", 1));
        Kinds kinds = new Kinds(
                Collections.unmodifiableList(new ArrayList<>(List.of("x", "y"))), ConcurrentHashMap.newKeySet(), tree);
        kinds.set().add("z");
        Kinds read = copy(kinds, RecordSerializer.of(Kinds.class));
        assertThat(read.list()).containsExactly("x", "y");
        assertThat(read.set()).containsExactly("z");
        assertThat(new ArrayList<>(read.map().keySet())).containsExactly("a", "b");
        read.list().add("can be changed");
        read.set().add("too");
        read.map().put("c", 3);
    }

    record Buffer(ByteBuffer bytes) {}

    @Test
    void aBufferIsReadFromItsPositionAndLeftAsItIs() {
        ByteBuffer direct = ByteBuffer.allocateDirect(10_000).order(ByteOrder.LITTLE_ENDIAN);
        for (int each = 0; each < 10_000; each++) {
            direct.put(each, (byte) each);
        }
        direct.position(5).limit(9_000);
        for (ByteBuffer each : List.of(
                direct,
                direct.asReadOnlyBuffer(),
                ByteBuffer.wrap(new byte[] {1, 2, 3, 4}, 1, 2).slice())) {
            int position = each.position();
            ByteBuffer read =
                    copy(new Buffer(each), RecordSerializer.of(Buffer.class)).bytes();
            assertThat(read).isEqualTo(each);
            assertThat(each.position()).isEqualTo(position);
        }
    }

    // ---- what cannot be sent

    record Anything(Object value) {}

    record Raw(@SuppressWarnings("rawtypes") List list) {}

    record Concrete(HashMap<String, String> map) {}

    record Inner(List<Map<String, Currency>> prices) {}

    record Outer(Inner inner) {}

    interface Open {}

    record Opens(Open open) {}

    sealed interface Half {
        record Good() implements Half {}

        non-sealed class Bad implements Half {}
    }

    record Halves(Half half) {}

    record Unbound<T>(T value) {}

    record Growing<T>(@Nullable Growing<List<T>> next) {}

    record Grows(Growing<String> growing) {}

    @Test
    void aComponentThatCannotBeSentIsNamedWithTheWayOut() {
        assertRefused(Anything.class, "component value of", "java.lang.Object");
        assertRefused(Raw.class, "component list of", "does not say of what");
        assertRefused(Concrete.class, "component map of", "declare it as Map");
        assertRefused(Outer.class, "component prices of", "Inner", "java.util.Currency");
        assertRefused(Opens.class, "component open of", "sealed interface");
        assertRefused(Halves.class, "component half of", "permits", "Bad");
        assertRefused(Unbound.class, "component value of", "type variable");
        assertRefused(Grows.class, "component next of", "without end");
        assertThatThrownBy(() -> MessageType.record(1, 0, Shape.class)).hasMessageContaining("each of its records");
    }

    private static void assertRefused(Class<?> type, String... parts) {
        assertThatThrownBy(() -> MessageType.record(1, 0, type))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(parts)
                .hasMessageContaining("Serializers.with");
    }

    private static final Serializer<Currency> CURRENCY = new Serializer<>() {
        @Override
        public void write(Currency value, Exporter out) {
            out.writeString(value.getCurrencyCode());
        }

        @Override
        public Currency read(Importer in, @Nullable Currency reused) {
            return Currency.getInstance(Objects.requireNonNull(in.readString()));
        }
    };

    @Test
    void aClassThatCannotBeDerivedMayHaveASerializer() {
        Map<String, Currency> prices = new LinkedHashMap<>();
        prices.put("a", Currency.getInstance("EUR"));
        prices.put("b", null);
        Outer outer = new Outer(new Inner(List.of(prices)));
        MessageType<Outer> type = MessageType.record(1, 0, Outer.class, Serializers.with(Currency.class, CURRENCY));
        assertThat(copy(outer, type.serializer())).isEqualTo(outer);
    }

    // ---- cycles

    record Knot(String name, List<Knot> others, Map<Knot, Optional<Knot>> more) {
        @Override
        public int hashCode() {
            return name.hashCode();
        }

        @Override
        public boolean equals(Object other) {
            return this == other;
        }
    }

    @Test
    void cyclesAreRefusedWhereTheyAreWritten() {
        RecordSerializer<Knot> serializer = RecordSerializer.of(Knot.class);
        Knot listed = new Knot("a", new ArrayList<>(), new HashMap<>());
        listed.others().add(new Knot("b", List.of(listed, listed), Map.of()));
        Knot mapped = new Knot("a", List.of(), new HashMap<>());
        mapped.more().put(mapped, Optional.of(mapped));
        for (Knot each : List.of(listed, mapped)) {
            assertThatThrownBy(() -> Pieces.write(each, serializer, _ -> 100))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("contain itself");
            assertThatThrownBy(() -> Exporter.measure(each, serializer)).hasMessageContaining("contain itself");
        }
    }

    // ---- versions

    record OldItem(int a) {}

    record OldOrder(List<OldItem> items, OldItem one) {}

    record NewItem(
            int a, @Nullable String b, double c, @Nullable Optional<Instant> d) {}

    record NewOrder(
            List<NewItem> items, NewItem one, @Nullable Instant at, int count) {}

    @Test
    void aReceiverMayKnowMoreComponentsAtEveryDepth() {
        byte[] old = Pieces.write(
                new OldOrder(List.of(new OldItem(1), new OldItem(2)), new OldItem(3)),
                RecordSerializer.of(OldOrder.class),
                _ -> 100);
        assertThat(Pieces.read(old, RecordSerializer.of(NewOrder.class), _ -> 100))
                .isEqualTo(new NewOrder(
                        List.of(new NewItem(1, null, 0, null), new NewItem(2, null, 0, null)),
                        new NewItem(3, null, 0, null),
                        null,
                        0));
    }

    @Test
    void aReceiverThatKnowsFewerComponentsWithinSaysSo() {
        byte[] recent = Pieces.write(
                new NewOrder(List.of(), new NewItem(1, "b", 2, Optional.empty()), Instant.EPOCH, 3),
                RecordSerializer.of(NewOrder.class),
                _ -> 100);
        assertThatThrownBy(() -> Pieces.read(recent, RecordSerializer.of(OldOrder.class), _ -> 100))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessageContainingAll("OldItem has 4 components where it was written, and 1 here");
    }

    enum OldMode {
        A
    }

    record OldModes(List<OldMode> modes) {}

    record NewModes(List<Mode> modes) {}

    @Test
    void aConstantThatIsNotKnownYetIsNamed() {
        byte[] recent = Pieces.write(
                new NewModes(Arrays.asList(Mode.ON, null, Mode.WITH_BODY)),
                RecordSerializer.of(NewModes.class),
                _ -> 100);
        assertThatThrownBy(() -> Pieces.read(recent, RecordSerializer.of(OldModes.class), _ -> 100))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessageContaining("OldMode has 1 constants here");
    }

    record Times(Instant instant, Duration duration, LocalDate date, LocalTime time, ZoneId zone, ZoneOffset offset) {}

    record Numbers(BigInteger integer, BigDecimal decimal, URI uri) {}

    /** What no such value can be is refused as such, and not by an exception of its class. */
    @Test
    void impossibleValuesAreMalformed() {
        byte[] times = Pieces.write(
                new Times(Instant.MAX, Duration.ZERO, LocalDate.MAX, LocalTime.MAX, ZoneId.of("UTC"), ZoneOffset.MAX),
                RecordSerializer.of(Times.class),
                _ -> 100);
        times[8] = 127; // the highest byte of the seconds
        assertThatThrownBy(() -> Pieces.read(times, RecordSerializer.of(Times.class), _ -> 100))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessageContaining("java.time.Instant");
        byte[] numbers = {1, 1};
        assertThatThrownBy(() -> Pieces.read(numbers, RecordSerializer.of(Numbers.class), _ -> 100))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessageContaining("java.math.BigInteger");
    }
}
