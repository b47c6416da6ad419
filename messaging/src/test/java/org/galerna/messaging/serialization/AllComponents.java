package org.galerna.messaging.serialization;

import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.SequencedCollection;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A record with a component of every kind, and values of it. */
@SuppressWarnings({"ArrayRecordComponent", "NullableOptional", "EnumOrdinal"}) // what programs may send
final class AllComponents {
    private AllComponents() {}

    enum Mode {
        OFF,
        ON,
        WITH_BODY {
            @Override
            public String toString() {
                return "a class of its own";
            }
        }
    }

    record Leaf(@Nullable String text) {}

    record Pair<A, B>(A first, B second) {}

    sealed interface Shape {
        record Circle(double radius) implements Shape {}

        record Square(long side) implements Shape {}

        enum Simple implements Shape {
            POINT,
            LINE
        }

        sealed interface Solid extends Shape {
            record Cube(int edge, @Nullable Shape base) implements Solid {}
        }
    }

    sealed interface Result<T> {
        record Ok<T>(T value) implements Result<T> {}

        record Failed<T>(String reason) implements Result<T> {}
    }

    record All(
            byte plainByte,
            boolean plainBoolean,
            short plainShort,
            char plainChar,
            int plainInt,
            long plainLong,
            float plainFloat,
            double plainDouble,
            @Nullable Byte boxedByte,
            @Nullable Boolean boxedBoolean,
            @Nullable Short boxedShort,
            @Nullable Character boxedChar,
            @Nullable Integer boxedInt,
            @Nullable Long boxedLong,
            @Nullable Float boxedFloat,
            @Nullable Double boxedDouble,
            @Nullable String string,
            @Nullable Mode mode,
            @Nullable Leaf leaf,
            @Nullable Shape shape,
            @Nullable Pair<String, List<Integer>> pair,
            @Nullable Result<Shape> result,
            byte @Nullable [] bytes,
            boolean @Nullable [] booleans,
            short @Nullable [] shorts,
            char @Nullable [] chars,
            int @Nullable [] ints,
            long @Nullable [] longs,
            float @Nullable [] floats,
            double @Nullable [] doubles,
            @Nullable SequencedCollection<String> sequenced,
            @Nullable SequencedSet<@Nullable Leaf> sequencedSet,
            @Nullable SequencedMap<Integer, @Nullable String> sequencedMap,
            int @Nullable [] @Nullable [] @Nullable [] cube,
            @Nullable String @Nullable [] @Nullable [] words,
            @Nullable Pair<Leaf, Instant> @Nullable [] pairs,
            @Nullable List<@Nullable List<@Nullable String>> lists,
            @Nullable Collection<@Nullable Double> collection,
            @Nullable Set<@Nullable Shape> set,
            @Nullable Map<@Nullable String, @Nullable Map<Integer, @Nullable Leaf>> map,
            @Nullable Optional<List<String>> optional,
            @Nullable OptionalInt optionalInt,
            @Nullable OptionalLong optionalLong,
            @Nullable OptionalDouble optionalDouble,
            @Nullable UUID uuid,
            @Nullable URI uri,
            @Nullable Instant instant,
            @Nullable Duration duration,
            @Nullable Period period,
            @Nullable LocalDate localDate,
            @Nullable LocalTime localTime,
            @Nullable LocalDateTime localDateTime,
            @Nullable OffsetTime offsetTime,
            @Nullable OffsetDateTime offsetDateTime,
            @Nullable ZonedDateTime zonedDateTime,
            @Nullable ZoneId zoneId,
            @Nullable ZoneOffset zoneOffset,
            @Nullable Year year,
            @Nullable YearMonth yearMonth,
            @Nullable MonthDay monthDay,
            @Nullable BigInteger bigInteger,
            @Nullable BigDecimal bigDecimal,
            @Nullable ByteBuffer buffer,
            @Nullable All inner) {}

    static All nulls() {
        return new Source(1, Kind.NULL).all();
    }

    static All empties() {
        return new Source(2, Kind.EMPTY).all();
    }

    static All smallest() {
        return new Source(3, Kind.SMALLEST).all();
    }

    static All greatest() {
        return new Source(4, Kind.GREATEST).all();
    }

    /** Says everything of a value, arrays and buffers too. */
    static String text(@Nullable Object value) {
        return switch (value) {
            case null -> "null";
            case Record record ->
                record.getClass().getSimpleName()
                        + Arrays.stream(record.getClass().getRecordComponents())
                                .map(each -> text(part(record, each)))
                                .toList();
            case Object[] array ->
                "array" + Arrays.stream(array).map(AllComponents::text).toList();
            case byte[] array -> Arrays.toString(array);
            case boolean[] array -> Arrays.toString(array);
            case short[] array -> Arrays.toString(array);
            case char[] array -> Arrays.toString(new String(array).chars().toArray());
            case int[] array -> Arrays.toString(array);
            case long[] array -> Arrays.toString(array);
            case float[] array -> Arrays.toString(array);
            case double[] array -> Arrays.toString(array);
            case ByteBuffer buffer -> {
                byte[] bytes = new byte[buffer.remaining()];
                buffer.duplicate().get(bytes);
                yield "buffer" + Arrays.toString(bytes);
            }
            case Collection<?> all ->
                "all" + all.stream().map(AllComponents::text).toList();
            case Map<?, ?> map ->
                "map"
                        + map.entrySet().stream()
                                .map(each -> text(each.getKey()) + "=" + text(each.getValue()))
                                .toList();
            case Optional<?> optional -> "optional(" + text(optional.orElse(null)) + ")";
            case Float number -> Integer.toHexString(Float.floatToRawIntBits(number));
            case Double number -> Long.toHexString(Double.doubleToRawLongBits(number));
            // whether it says the zone, too, depends on which objects it has
            case ZonedDateTime time -> time.toOffsetDateTime() + " in " + time.getZone();
            default -> value.toString();
        };
    }

    private static @Nullable Object part(Record of, RecordComponent part) {
        try {
            return part.getAccessor().invoke(of);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    enum Kind {
        NULL,
        EMPTY,
        SMALLEST,
        GREATEST,
        RANDOM
    }

    /** Makes values. */
    static final class Source {
        private final Random random;
        private final Kind kind;
        private int depth;

        Source(long seed) {
            this(seed, Kind.RANDOM);
        }

        private Source(long seed, Kind kind) {
            this.random = new Random(seed);
            this.kind = kind;
        }

        private long number(long least, long most) {
            return switch (kind) {
                case NULL, EMPTY -> 0;
                case SMALLEST -> least;
                case GREATEST -> most;
                case RANDOM ->
                    random.nextInt(8) == 0
                            ? (random.nextBoolean() ? least : most)
                            : most - least < 0 ? random.nextLong() : random.nextLong(least, most);
            };
        }

        private int within(int least, int most) {
            return (int) number(least, most);
        }

        private <T> @Nullable T maybe(Supplier<T> maker) {
            return kind == Kind.NULL || (kind == Kind.RANDOM && random.nextInt(5) == 0) ? null : maker.get();
        }

        private int size() {
            return switch (kind) {
                case NULL, EMPTY -> 0;
                case SMALLEST -> 1;
                case GREATEST -> 40;
                case RANDOM -> random.nextInt(4);
            };
        }

        private <T> Stream<@Nullable T> some(Supplier<@Nullable T> maker) {
            return Stream.generate(maker).limit(size());
        }

        private <T> List<@Nullable T> list(Supplier<@Nullable T> maker) {
            return new ArrayList<>(some(maker).toList());
        }

        private String string() {
            return switch (kind) {
                case NULL, EMPTY -> "";
                case SMALLEST -> "\0";
                case GREATEST -> "\uffff\ud83d\ude00é€".repeat(50);
                case RANDOM -> random.nextInt(3) == 0 ? "" : "text " + (char) random.nextInt(0xd800);
            };
        }

        private Shape shape() {
            return switch (Math.floorMod(number(0, 3), 4)) {
                case 0 -> new Shape.Circle(decimal());
                case 1 -> new Shape.Square(number(Long.MIN_VALUE, Long.MAX_VALUE));
                case 2 -> Shape.Simple.LINE;
                default -> new Shape.Solid.Cube(within(-1, 1), Shape.Simple.POINT);
            };
        }

        private double decimal() {
            return switch (kind) {
                case NULL, EMPTY -> -0.0;
                case SMALLEST -> Double.NEGATIVE_INFINITY;
                case GREATEST -> Double.NaN;
                case RANDOM -> random.nextDouble();
            };
        }

        private LocalDate date() {
            return LocalDate.ofEpochDay(number(LocalDate.MIN.toEpochDay(), LocalDate.MAX.toEpochDay()));
        }

        private LocalTime time() {
            return LocalTime.ofNanoOfDay(number(0, LocalTime.MAX.toNanoOfDay()));
        }

        private ZoneOffset offset() {
            return ZoneOffset.ofTotalSeconds(within(-64_800, 64_800));
        }

        private ZoneId zone() {
            return switch (kind) {
                case NULL, EMPTY -> ZoneOffset.UTC;
                case SMALLEST -> ZoneId.of("America/New_York");
                default -> ZoneId.of(random.nextBoolean() ? "Europe/Berlin" : "+05:30");
            };
        }

        private Instant instant() {
            return Instant.ofEpochSecond(
                    number(Instant.MIN.getEpochSecond(), Instant.MAX.getEpochSecond()), number(0, 999_999_999));
        }

        private Pair<Leaf, Instant> leafAt() {
            return new Pair<>(new Leaf(maybe(this::string)), instant());
        }

        private BigInteger big() {
            return BigInteger.valueOf(number(Long.MIN_VALUE, Long.MAX_VALUE)).pow(kind == Kind.RANDOM ? 3 : 9);
        }

        private byte[] bytes() {
            byte[] bytes = new byte[size()];
            random.nextBytes(bytes);
            return bytes;
        }

        All all() {
            return new All(
                    (byte) number(Byte.MIN_VALUE, Byte.MAX_VALUE),
                    number(0, 1) != 0,
                    (short) number(Short.MIN_VALUE, Short.MAX_VALUE),
                    (char) number(0, 0xffff),
                    within(Integer.MIN_VALUE, Integer.MAX_VALUE),
                    number(Long.MIN_VALUE, Long.MAX_VALUE),
                    (float) decimal(),
                    decimal(),
                    maybe(() -> (byte) number(Byte.MIN_VALUE, Byte.MAX_VALUE)),
                    maybe(() -> number(0, 1) != 0),
                    maybe(() -> (short) number(Short.MIN_VALUE, Short.MAX_VALUE)),
                    maybe(() -> (char) number(0, 0xffff)),
                    maybe(() -> within(Integer.MIN_VALUE, Integer.MAX_VALUE)),
                    maybe(() -> number(Long.MIN_VALUE, Long.MAX_VALUE)),
                    maybe(() -> (float) decimal()),
                    maybe(this::decimal),
                    maybe(this::string),
                    maybe(() -> Mode.values()[within(0, 2)]),
                    maybe(() -> new Leaf(maybe(this::string))),
                    maybe(this::shape),
                    maybe(() -> new Pair<>(string(), list(() -> maybe(() -> within(0, 9))))),
                    maybe(() -> number(0, 1) == 0 ? new Result.Failed<>(string()) : new Result.Ok<>(shape())),
                    maybe(this::bytes),
                    maybe(() -> size() == 0 ? new boolean[0] : new boolean[] {true, false}),
                    maybe(() -> size() == 0 ? new short[0] : new short[] {Short.MIN_VALUE, Short.MAX_VALUE}),
                    maybe(() -> string().toCharArray()),
                    maybe(() -> size() == 0 ? new int[0] : new int[] {Integer.MIN_VALUE, Integer.MAX_VALUE}),
                    maybe(() -> size() == 0 ? new long[0] : new long[] {Long.MIN_VALUE, Long.MAX_VALUE}),
                    maybe(() -> size() == 0 ? new float[0] : new float[] {-0f, Float.MIN_VALUE, (float) decimal()}),
                    maybe(() -> size() == 0 ? new double[0] : new double[] {-0d, Double.MIN_VALUE, decimal()}),
                    maybe(() -> list(this::string)),
                    maybe(() -> new LinkedHashSet<>(list(() -> maybe(() -> new Leaf(string()))))),
                    maybe(() -> new LinkedHashMap<>(Map.of(size(), string()))),
                    maybe(() -> new int[][][] {{}, {{within(0, 5)}, null}, null}),
                    maybe(() -> new String[][] {{maybe(this::string)}, null, {}}),
                    maybe(this::pairs),
                    maybe(() -> list(() -> maybe(() -> list(() -> maybe(this::string))))),
                    maybe(() -> list(() -> maybe(this::decimal))),
                    maybe(() -> new LinkedHashSet<>(list(() -> maybe(this::shape)))),
                    maybe(this::map),
                    maybe(() -> kind == Kind.EMPTY ? Optional.empty() : Optional.of(List.of(string()))),
                    maybe(() -> kind == Kind.EMPTY ? OptionalInt.empty() : OptionalInt.of(within(-1, 1))),
                    maybe(() -> kind == Kind.EMPTY ? OptionalLong.empty() : OptionalLong.of(number(-1, 1))),
                    maybe(() -> kind == Kind.EMPTY ? OptionalDouble.empty() : OptionalDouble.of(decimal())),
                    maybe(() ->
                            new UUID(number(Long.MIN_VALUE, Long.MAX_VALUE), number(Long.MIN_VALUE, Long.MAX_VALUE))),
                    maybe(() -> URI.create("http://host/" + size())),
                    maybe(this::instant),
                    maybe(() -> Duration.ofSeconds(number(Long.MIN_VALUE, Long.MAX_VALUE), number(0, 999_999_999))),
                    maybe(() -> Period.of(within(Integer.MIN_VALUE, Integer.MAX_VALUE), within(-1, 1), within(-1, 1))),
                    maybe(this::date),
                    maybe(this::time),
                    maybe(() -> LocalDateTime.of(date(), time())),
                    maybe(() -> OffsetTime.of(time(), offset())),
                    maybe(() -> OffsetDateTime.of(date(), time(), offset())),
                    maybe(() -> ZonedDateTime.ofInstant(
                            Instant.ofEpochSecond(number(-10_000_000_000L, 10_000_000_000L)), zone())),
                    maybe(this::zone),
                    maybe(this::offset),
                    maybe(() -> Year.of(within(Year.MIN_VALUE, Year.MAX_VALUE))),
                    maybe(() -> YearMonth.of(within(Year.MIN_VALUE, Year.MAX_VALUE), 1 + size() % 12)),
                    maybe(() -> MonthDay.of(2, 29)),
                    maybe(this::big),
                    maybe(() -> new BigDecimal(big(), within(Integer.MIN_VALUE, Integer.MAX_VALUE))),
                    maybe(() -> ByteBuffer.wrap(bytes())),
                    inner());
        }

        @SuppressWarnings("unchecked")
        private Pair<Leaf, Instant>[] pairs() {
            return some(() -> maybe(this::leafAt)).toArray(Pair[]::new);
        }

        private Map<@Nullable String, @Nullable Map<Integer, @Nullable Leaf>> map() {
            Map<@Nullable String, @Nullable Map<Integer, @Nullable Leaf>> map = new LinkedHashMap<>();
            for (int each = size(); each > 0; each--) {
                Map<Integer, @Nullable Leaf> inside = new LinkedHashMap<>();
                inside.put(each, maybe(() -> new Leaf(string())));
                map.put(each == 1 ? null : "key " + each, maybe(() -> inside));
            }
            return map;
        }

        private @Nullable All inner() {
            if (kind != Kind.RANDOM || depth > 1 || random.nextBoolean()) {
                return null;
            }
            depth++;
            All inner = all();
            depth--;
            return inner;
        }
    }
}
