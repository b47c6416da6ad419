package org.galerna.messaging.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.galerna.testkit.Seeds;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects that become bytes, and are themselves again. */
@SuppressWarnings("ArrayRecordComponent") // what programs may send
class SerializationTest {
    enum Colour {
        RED,
        GREEN
    }

    record Point(int x, long y) {}

    record Everything(
            byte one,
            boolean two,
            short three,
            char four,
            int five,
            long six,
            float seven,
            double eight,
            @Nullable String nine,
            byte @Nullable [] ten,
            boolean @Nullable [] eleven,
            short @Nullable [] twelve,
            char @Nullable [] thirteen,
            int @Nullable [] fourteen,
            long @Nullable [] fifteen,
            float @Nullable [] sixteen,
            double @Nullable [] seventeen,
            @Nullable Integer eighteen,
            @Nullable Colour nineteen,
            @Nullable Point twenty,
            @Nullable List<Point> points,
            @Nullable List<String> words,
            String @Nullable [] names,
            @Nullable Everything inner) {}

    record Node(int value, @Nullable Node next) {}

    record First(int a) {}

    record Second(int a, long b, @Nullable String c) {}

    private static final RecordSerializer<Everything> EVERYTHING = RecordSerializer.of(Everything.class);

    static Everything random(Random random, int depth) {
        return new Everything(
                (byte) random.nextInt(),
                random.nextBoolean(),
                (short) random.nextInt(),
                (char) random.nextInt(),
                random.nextInt(),
                random.nextLong(),
                random.nextFloat(),
                random.nextDouble(),
                random.nextInt(4) == 0 ? null : word(random),
                random.nextBoolean()
                        ? null
                        : random.ints(random.nextInt(20))
                                .mapToObj(Integer::toString)
                                .reduce("", String::concat)
                                .getBytes(StandardCharsets.UTF_8),
                random.nextBoolean() ? null : new boolean[] {true, random.nextBoolean()},
                random.nextBoolean() ? null : new short[] {1, (short) random.nextInt()},
                random.nextBoolean() ? null : word(random).toCharArray(),
                random.nextBoolean() ? null : random.ints(random.nextInt(9)).toArray(),
                random.nextBoolean() ? null : random.longs(random.nextInt(9)).toArray(),
                random.nextBoolean() ? null : new float[] {random.nextFloat()},
                random.nextBoolean() ? null : random.doubles(random.nextInt(9)).toArray(),
                random.nextBoolean() ? null : random.nextInt(),
                random.nextBoolean() ? null : Colour.values()[random.nextInt(2)],
                random.nextBoolean() ? null : new Point(random.nextInt(), random.nextLong()),
                random.nextBoolean() ? null : List.of(new Point(1, 2), new Point(random.nextInt(), 3)),
                random.nextBoolean() ? null : List.of(word(random), word(random)),
                random.nextBoolean() ? null : new String[] {word(random)},
                depth == 0 ? null : random(random, depth - 1));
    }

    private static String word(Random random) {
        StringBuilder word = new StringBuilder();
        for (int each = random.nextInt(12); each > 0; each--) {
            switch (random.nextInt(5)) {
                case 0 -> word.appendCodePoint(0x10000 + random.nextInt(0x1000));
                case 1 -> word.append((char) (0x800 + random.nextInt(0x1000)));
                case 2 -> word.append((char) (0x80 + random.nextInt(0x700)));
                default -> word.append((char) random.nextInt(0x80));
            }
        }
        return word.toString();
    }

    private static void assertSame(Everything actual, Everything expected) {
        assertThat(actual).usingRecursiveComparison().isEqualTo(expected);
    }

    private static void assertSameBytes(Everything actual, byte[] expected) {
        assertThat(Arrays.equals(Pieces.write(actual, EVERYTHING, _ -> 1 << 16), expected))
                .isTrue();
    }

    @Test
    void randomObjectsSurvive() {
        long seed = Seeds.next("serialization");
        Random random = new Random(seed);
        for (int round = 0; round < 100; round++) {
            Everything value = random(random, random.nextInt(4));
            byte[] bytes = Pieces.write(value, EVERYTHING, _ -> 1 << 16);
            assertSame(Pieces.read(bytes, EVERYTHING, _ -> 1 << 16), value);
        }
    }

    /** Cut once at every place, and cut everywhere. */
    @Test
    void bytesDoNotDependOnWherePiecesEnd() {
        Random random = new Random(Seeds.next("serialization"));
        for (int round = 0; round < 5; round++) {
            Everything value = random(random, 1);
            byte[] whole = Pieces.write(value, EVERYTHING, _ -> 1 << 16);
            for (int cut = 1; cut < whole.length; cut++) {
                int first = cut;
                assertThat(Pieces.write(value, EVERYTHING, piece -> piece == 0 ? first : 1 << 16))
                        .isEqualTo(whole);
                assertSameBytes(Pieces.read(whole, EVERYTHING, piece -> piece == 0 ? first : 1 << 16), whole);
            }
            for (int length = 1; length <= 9; length++) {
                int each = length;
                assertThat(Pieces.write(value, EVERYTHING, _ -> each)).isEqualTo(whole);
                assertThat(Pieces.writeOutside(value, EVERYTHING, _ -> each)).isEqualTo(whole);
                assertSameBytes(Pieces.read(whole, EVERYTHING, _ -> each), whole);
            }
        }
    }

    record ManyArrays(
            int first, byte[] bytes, short[] shorts, char[] chars, int[] ints, long[] longs, double[] doubles) {}

    /** Long arrays outside the heap are copied directly, among fields that are not. */
    @Test
    void longArraysAreTheSameInPiecesOfAnyKind() {
        Random random = new Random(Seeds.next("serialization"));
        RecordSerializer<ManyArrays> serializer = RecordSerializer.of(ManyArrays.class);
        for (int round = 0; round < 50; round++) {
            byte[] bytes = new byte[random.nextInt(3000)];
            random.nextBytes(bytes);
            ManyArrays value = new ManyArrays(
                    random.nextInt(),
                    bytes,
                    new short[random.nextInt(400)],
                    "xyz".repeat(random.nextInt(200)).toCharArray(),
                    random.ints(random.nextInt(300)).toArray(),
                    random.longs(random.nextInt(200)).toArray(),
                    random.doubles(random.nextInt(200)).toArray());
            byte[] whole = Pieces.write(value, serializer, _ -> 1 << 16);
            int length = 1 + random.nextInt(1200);
            assertThat(Exporter.measure(value, serializer)).isEqualTo(whole.length);
            assertThat(Pieces.write(value, serializer, _ -> length)).isEqualTo(whole);
            assertThat(Pieces.writeOutside(value, serializer, _ -> length)).isEqualTo(whole);
            assertThat(Pieces.read(whole, serializer, _ -> length))
                    .usingRecursiveComparison()
                    .isEqualTo(value);
        }
    }

    @Test
    void bytesAreThoseOfTheReference() {
        record Reference(int a, @Nullable String b, long @Nullable [] c, boolean d, double e) {}
        byte[] bytes = Pieces.write(
                new Reference(-2, "hé", new long[] {1, -1}, true, 0.5),
                RecordSerializer.of(Reference.class),
                _ -> 1 << 16);
        ByteBuffer expected = ByteBuffer.allocate(100).order(ByteOrder.LITTLE_ENDIAN);
        expected.putInt(-2).put((byte) 4).put("hé".getBytes(StandardCharsets.UTF_8));
        expected.put((byte) 3).putLong(1).putLong(-1).put((byte) 1).putDouble(0.5);
        assertThat(bytes).isEqualTo(Arrays.copyOf(expected.array(), expected.position()));
    }

    @ParameterizedTest
    @ValueSource(
            longs = {
                0,
                1,
                -1,
                63,
                64,
                -64,
                -65,
                1 << 20,
                Integer.MAX_VALUE,
                Integer.MIN_VALUE,
                Long.MAX_VALUE,
                Long.MIN_VALUE
            })
    void compactIntegersKeepTheirValue(long value) {
        byte[] bytes = Pieces.write(
                value,
                new Serializer<Long>() {
                    @Override
                    public void write(Long number, Exporter out) {
                        out.writeCompactLong(number);
                        out.writeCompactInt(number.intValue());
                    }

                    @Override
                    public Long read(Importer in, @Nullable Long reused) {
                        throw new AssertionError();
                    }
                },
                _ -> 1 << 16);
        Importer in = new Importer();
        in.begin(bytes, 0, bytes.length, 0);
        assertThat(in.readCompactLong()).isEqualTo(value);
        assertThat(in.readCompactInt()).isEqualTo((int) value);
        assertThat(in.hasRemaining()).isFalse();
        if (value >= -64 && value <= 63) {
            assertThat(bytes).hasSize(2);
        }
    }

    @Test
    void stringsAreThoseOfTheJdk() {
        for (String text : List.of("", "abc", "é", "€uro", "\ud83d\ude00", "x\ud83d", "\ude00y", "\ud83dz")) {
            byte[] bytes = Pieces.write(List.of(text), strings(), _ -> 1 << 16);
            byte[] expected = text.getBytes(StandardCharsets.UTF_8);
            assertThat(Arrays.copyOfRange(bytes, 2, bytes.length)).isEqualTo(expected);
            assertThat(bytes[1]).isEqualTo((byte) (expected.length + 1));
        }
    }

    private static Serializer<List<String>> strings() {
        return new Serializer<>() {
            @Override
            public void write(List<String> value, Exporter out) {
                out.writeCount(value.size());
                value.forEach(out::writeString);
            }

            @Override
            public List<String> read(Importer in, @Nullable List<String> reused) {
                List<String> strings = new ArrayList<>();
                for (int left = in.readCount(); left > 0; left--) {
                    strings.add(String.valueOf(in.readString()));
                }
                return strings;
            }
        };
    }

    @Test
    void aFieldAddedAtTheEndIsCompatibleBothWays() {
        byte[] old = Pieces.write(new First(7), RecordSerializer.of(First.class), _ -> 100);
        assertThat(Pieces.read(old, RecordSerializer.of(Second.class), _ -> 100))
                .isEqualTo(new Second(7, 0, null));
        byte[] recent = Pieces.write(new Second(8, 9, "x"), RecordSerializer.of(Second.class), _ -> 100);
        assertThat(Pieces.read(recent, RecordSerializer.of(First.class), _ -> 100))
                .isEqualTo(new First(8));
    }

    private static Node chain(int length) {
        Node chain = new Node(0, null);
        for (int value = 1; value < length; value++) {
            chain = new Node(value, chain);
        }
        return chain;
    }

    @Test
    void recordsMayContainThemselvesButNotForEver() {
        RecordSerializer<Node> serializer = RecordSerializer.of(Node.class);
        Node hundred = chain(100);
        byte[] bytes = Pieces.write(hundred, serializer, _ -> 1 << 16);
        assertThat(Pieces.read(bytes, serializer, _ -> 1 << 16)).isEqualTo(hundred);
        Node bomb = chain(1000);
        assertThatThrownBy(() -> Pieces.write(bomb, serializer, _ -> 1 << 16))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("256");
        byte[] deep = new byte[5 * 1000];
        for (int at = 4; at < deep.length; at += 5) {
            deep[at] = 3; // two components
        }
        assertThatThrownBy(() -> Pieces.read(deep, serializer, _ -> 1 << 16))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessageContaining("256");
    }

    @Test
    void countsAreNotBelieved() {
        Importer in = new Importer();
        byte[] huge = {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x07, 1, 2, 3};
        in.begin(huge, 0, huge.length, 0);
        assertThatThrownBy(in::readLongArray).isInstanceOf(MalformedMessageException.class);
        in.begin(huge, 0, huge.length, 0);
        assertThatThrownBy(in::readString).isInstanceOf(MalformedMessageException.class);
        in.begin(huge, 0, huge.length, 0);
        assertThatThrownBy(() -> in.readList(RecordSerializer.of(Point.class)))
                .isInstanceOf(MalformedMessageException.class);
    }

    /** Whatever the bytes are, the answer is an object or that exception, and no more memory than a few times theirs. */
    @Test
    void garbageIsRefused() {
        Random random = new Random(Seeds.next("serialization"));
        byte[] whole = Pieces.write(random(random, 2), EVERYTHING, _ -> 1 << 16);
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = Arrays.copyOf(whole, random.nextInt(whole.length + 1));
            for (int changes = random.nextInt(4); changes > 0 && bytes.length > 0; changes--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            try {
                Pieces.read(bytes, EVERYTHING, _ -> 1 << 16);
            } catch (MalformedMessageException refused) {
                assertThat(refused).hasMessageMatching(".+");
            }
        }
    }

    @Test
    void whatCannotBeDerivedIsNamed() {
        record Odd(Thread thread) {}
        assertThatThrownBy(() -> RecordSerializer.of(Odd.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("component thread of")
                .hasMessageContaining("java.lang.Thread");
        assertThatThrownBy(() -> RecordSerializer.of(String.class)).hasMessageContaining("is no record");
    }

    record Holder(
            String @Nullable [] names,
            Integer @Nullable [] numbers,
            Point @Nullable [] points,
            Colour @Nullable [] colours,
            @Nullable List<Point> list) {}

    @Test
    void elementsMayBeNull() {
        RecordSerializer<Holder> serializer = RecordSerializer.of(Holder.class);
        Holder holder = new Holder(
                new String[] {"a", null},
                new Integer[] {1, null},
                new Point[] {new Point(1, 2), null},
                new Colour[] {Colour.RED, null},
                Arrays.asList(new Point(1, 2), null));
        Holder read = Pieces.read(Pieces.write(holder, serializer, _ -> 100), serializer, _ -> 3);
        assertThat(read).usingRecursiveComparison().isEqualTo(holder);
    }
}
