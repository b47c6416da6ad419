package org.galerna.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class BuffersTest {
    private static final int BYTES = 48;

    static Stream<Object> buffers() {
        return buffers(BYTES);
    }

    /** One of each kind, of so many bytes. */
    static Stream<Object> buffers(int bytes) {
        return Stream.of(
                new byte[bytes],
                new char[bytes / 2],
                new short[bytes / 2],
                new int[bytes / 4],
                new float[bytes / 4],
                new long[bytes / 8],
                new double[bytes / 8],
                Arena.ofAuto().allocate(bytes),
                MemorySegment.ofArray(new int[bytes / 4]));
    }

    static Stream<Arguments> noBuffers() {
        return Stream.<Object>of(new boolean[4], new Object[4], "text", 7, new byte[2][2])
                .map(Arguments::of);
    }

    @ParameterizedTest
    @MethodSource("buffers()")
    void countsInBytes(Object buffer) {
        assertThat(Buffers.bytes(buffer)).isEqualTo(BYTES);
        assertThat(Buffers.segment(buffer).byteSize()).isEqualTo(BYTES);
    }

    @ParameterizedTest
    @MethodSource("buffers()")
    void copiesOutAndInAtAnyByteOffset(Object buffer) {
        for (int offset = 0; offset < 9; offset++) {
            for (int length = 0; length <= BYTES - offset; length += 7) {
                MemorySegment source = Arena.ofAuto().allocate(BYTES + 10);
                Rings.fill(source, 3, offset, length);
                Buffers.segment(buffer).fill((byte) 0x55);
                Buffers.copy(source, 3, buffer, offset, length);
                assertThat(Rings.difference(Buffers.segment(buffer), offset, offset, length))
                        .isEmpty();
                for (int index = 0; index < BYTES; index++) {
                    if (index < offset || index >= offset + length) {
                        assertThat(Buffers.segment(buffer).get(ValueLayout.JAVA_BYTE, index))
                                .as("byte %s beside the copy", index)
                                .isEqualTo((byte) 0x55);
                    }
                }
                MemorySegment target = Arena.ofAuto().allocate(BYTES + 10);
                Buffers.copy(buffer, offset, target, 5, length);
                assertThat(Rings.difference(target, 5, offset, length)).isEmpty();
                assertThat(target.get(ValueLayout.JAVA_BYTE, 4)).isZero();
                assertThat(target.get(ValueLayout.JAVA_BYTE, 5 + length)).isZero();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("buffers()")
    void seesBytesInNativeOrder(Object buffer) {
        Buffers.segment(buffer).set(ValueLayout.JAVA_LONG_UNALIGNED, 8, 0x0102030405060708L);
        MemorySegment target = Arena.ofAuto().allocate(8);
        Buffers.copy(buffer, 8, target, 0, 8);
        assertThat(target.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(0x0102030405060708L);
    }

    @ParameterizedTest
    @MethodSource("noBuffers")
    void refusesWhatIsNoBuffer(Object object) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Buffers.bytes(object))
                .withMessageContaining("array of a primitive type")
                .withMessageContaining(object.getClass().getTypeName());
        assertThatIllegalArgumentException().isThrownBy(() -> Buffers.check(object, 0, 0));
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "0, 48", "48, 0", "47, 1", "1, 47"})
    void acceptsRangesInside(long offset, long length) {
        buffers().forEach(buffer -> Buffers.check(buffer, offset, length));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 49",
        "48, 1",
        "49, 0",
        "-1, 1",
        "0, -1",
        "9223372036854775807, 1",
        "1, 9223372036854775807",
        "9223372036854775807, 9223372036854775807",
        "-9223372036854775808, 0",
        "4294967296, 8"
    })
    void refusesRangesOutside(long offset, long length) {
        buffers()
                .forEach(buffer -> assertThatExceptionOfType(IndexOutOfBoundsException.class)
                        .isThrownBy(() -> Buffers.check(buffer, offset, length))
                        .withMessageContaining("not within a buffer of 48 bytes"));
    }

    @Test
    void knowsMemoryOfOneThreadAlone() {
        try (Arena confined = Arena.ofConfined();
                Arena shared = Arena.ofShared()) {
            assertThat(Buffers.isSharedByThreads(confined.allocate(8))).isFalse();
            assertThat(Buffers.isSharedByThreads(shared.allocate(8))).isTrue();
        }
        assertThat(Buffers.isSharedByThreads(Arena.ofAuto().allocate(8))).isTrue();
        assertThat(Buffers.isSharedByThreads(MemorySegment.ofArray(new int[2]))).isTrue();
    }

    @Test
    void copiesThatRunOutOfTheSegmentTouchNothing() {
        byte[] bytes = new byte[BYTES];
        MemorySegment small = Arena.ofAuto().allocate(8);
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> Buffers.copy(bytes, 0, small, 1, 8));
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> Buffers.copy(small, 0, bytes, BYTES - 7, 8));
        assertThat(bytes).containsOnly(0);
    }
}
