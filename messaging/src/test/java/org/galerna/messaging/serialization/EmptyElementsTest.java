package org.galerna.messaging.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists and arrays whose elements take no bytes: what comes does not say how many there may be. */
@SuppressWarnings("ArrayRecordComponent") // what programs may send
class EmptyElementsTest {
    private static final Serializer<Nothing> NOTHING = new Serializer<>() {
        @Override
        public void write(Nothing value, Exporter out) {
            // nothing to write
        }

        @Override
        public Nothing read(Importer in, @Nullable Nothing reused) {
            return new Nothing();
        }
    };

    /** Lists of a serializer that the program has written. */
    private static final Serializer<List<Nothing>> LISTS = new Serializer<>() {
        @Override
        public void write(List<Nothing> value, Exporter out) {
            out.writeList(value, NOTHING);
        }

        @Override
        public List<Nothing> read(Importer in, @Nullable List<Nothing> reused) {
            List<Nothing> read = in.readList(NOTHING);
            return read == null ? List.of() : read;
        }
    };

    /** The reader would refuse it, where nobody hears of that. */
    @Test
    void aNullWithinAListIsAnErrorAtTheWriter() {
        List<Nothing> list = Arrays.asList(new Nothing(), null);
        assertThatThrownBy(() -> Pieces.write(list, LISTS, _ -> 100))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("element 1 of an array or list is null");
        assertThatThrownBy(() -> Exporter.measure(list, LISTS)).isInstanceOf(IllegalArgumentException.class);
    }

    record Nothing() {}

    record Nothings(@Nullable List<Nothing> list, Nothing @Nullable [] array, int end) {}

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1024, 1025, 100_000, 1 << 20})
    void whatHasNoBytesIsReadAsOftenAsItWasWritten(int count) {
        RecordSerializer<Nothings> serializer = RecordSerializer.of(Nothings.class);
        Nothing[] array = new Nothing[count];
        Arrays.fill(array, new Nothing());
        byte[] bytes = Pieces.write(new Nothings(Arrays.asList(array), array, 7), serializer, _ -> 50);
        Nothings read = Pieces.read(bytes, serializer, _ -> 3);
        assertThat(read.list()).hasSize(count);
        assertThat(read.array()).hasSize(count);
        assertThat(read.end()).isEqualTo(7);
    }

    /** Each of the lists alone could be read. A few bytes must not become gigabytes of objects. */
    @Test
    void elementsWithoutBytesAreCountedInAllListsTogether() {
        Serializer<List<List<Nothing>>> serializer = new Serializer<>() {
            @Override
            public void write(List<List<Nothing>> value, Exporter out) {
                out.writeList(value, LISTS);
            }

            @Override
            public List<List<Nothing>> read(Importer in, @Nullable List<List<Nothing>> reused) {
                List<List<Nothing>> read = in.readList(LISTS);
                return read == null ? List.of() : read;
            }
        };
        List<List<Nothing>> many = Collections.nCopies(1000, Collections.nCopies(1 << 20, new Nothing()));
        assertThatThrownBy(() -> Exporter.measure(many, serializer)).isInstanceOf(IllegalArgumentException.class);
        byte[] bytes = new byte[1 + 4 * 1000];
        bytes[0] = 100;
        for (int at = 1; at < bytes.length; at += 4) { // 2²⁰ and one
            bytes[at] = (byte) 0x81;
            bytes[at + 1] = (byte) 0x80;
            bytes[at + 2] = (byte) 0xc0;
        }
        assertThatThrownBy(() -> Pieces.read(bytes, serializer, _ -> 1 << 16))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessageContaining("take no byte");
    }

    record Flags(List<Boolean> flags) {}

    @Test
    void moreThanCanBeReadIsNotWritten() {
        int count = (1 << 20) + 1;
        List<Nothing> many = Collections.nCopies(count, new Nothing());
        assertThatThrownBy(() -> Pieces.write(many, LISTS, _ -> 50))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a list has " + count + " elements");
        assertThatThrownBy(() -> Exporter.measure(many, LISTS)).isInstanceOf(IllegalArgumentException.class);
        List<Nothing> most = Collections.nCopies(count - 1, new Nothing());
        assertThat(Pieces.read(Pieces.write(most, LISTS, _ -> 50), LISTS, _ -> 3))
                .hasSize(count - 1);

        RecordSerializer<Flags> flags = RecordSerializer.of(Flags.class);
        Flags all = new Flags(Collections.nCopies(count, true));
        assertThat(Exporter.measure(all, flags)).isGreaterThan(count);
        assertThat(Pieces.read(Pieces.write(all, flags, _ -> 1000), flags, _ -> 999)
                        .flags())
                .hasSize(count);
    }
}
