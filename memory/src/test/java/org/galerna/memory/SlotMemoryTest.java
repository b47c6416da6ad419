package org.galerna.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SlotMemoryTest {
    private static final int BYTES = 128;

    private final SlotMemory memory = new SlotMemory(BYTES, 64);

    static Stream<Object> buffers() {
        return BuffersTest.buffers(BYTES);
    }

    @ParameterizedTest
    @MethodSource("buffers")
    void givesBackTheBytesOfAnyBuffer(Object buffer) {
        for (int bufferOffset = 0; bufferOffset < 9; bufferOffset++) {
            for (int offset = 0; offset < 9; offset++) {
                for (int length = 0; length <= 40; length++) {
                    clear();
                    Rings.fill(Buffers.segment(buffer), bufferOffset, offset, length);
                    memory.write(buffer, bufferOffset, offset, length);
                    Buffers.segment(buffer).fill((byte) 0);
                    memory.read(offset, buffer, bufferOffset, length);
                    assertThat(Rings.difference(Buffers.segment(buffer), bufferOffset, offset, length))
                            .as("%s bytes, offsets %s and %s", length, bufferOffset, offset)
                            .isEmpty();
                    for (int beside = 0; beside < BYTES; beside++) {
                        if (beside < offset || beside >= offset + length) {
                            assertThat(byteAt(beside))
                                    .as("byte %s beside %s at %s", beside, length, offset)
                                    .isZero();
                        }
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("buffers")
    void whatOneBufferShowsAnyOtherOneReads(Object source) {
        MemorySegment bytes = Buffers.segment(source);
        Rings.fill(bytes, 0, 3, Long.BYTES);
        long expected = bytes.get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
        buffers().forEach(target -> {
            memory.write(source, 0, 16, Long.BYTES);
            memory.read(16, target, 0, Long.BYTES);
            assertThat(Buffers.segment(target).get(ValueLayout.JAVA_LONG_UNALIGNED, 0))
                    .isEqualTo(expected);
            assertThat(memory.get(16)).isEqualTo(expected);
            assertThat(memory.getAcquire(16)).isEqualTo(expected);
        });
    }

    @Test
    void isZeroAtFirst() {
        for (int offset = 0; offset < BYTES; offset += Long.BYTES) {
            assertThat(memory.get(offset)).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, -8, BYTES - 7, BYTES, BYTES + 8, Long.MAX_VALUE, Long.MAX_VALUE - 7, Long.MIN_VALUE})
    void numbersOutsideAreRefused(long offset) {
        refuses(() -> memory.get(offset));
        refuses(() -> memory.set(offset, 1));
        refuses(() -> memory.getAcquire(offset));
        refuses(() -> memory.setRelease(offset, 1));
        buffers().forEach(buffer -> {
            refuses(() -> memory.write(buffer, 0, offset, Long.BYTES));
            refuses(() -> memory.read(offset, buffer, 0, Long.BYTES));
        });
    }

    @Test
    void otherRangesOutsideAreRefused() {
        buffers().forEach(buffer -> {
            for (long length : new long[] {4, 16, BYTES}) {
                for (long offset : new long[] {-1, BYTES - length + 1, BYTES, Long.MAX_VALUE}) {
                    refuses(() -> memory.write(buffer, 0, offset, length));
                    refuses(() -> memory.read(offset, buffer, 0, length));
                }
            }
            refuses(() -> memory.write(buffer, 0, 0, -1));
            refuses(() -> memory.read(0, buffer, 0, Long.MIN_VALUE));
        });
    }

    @Test
    void rangesOutsideTheBufferAreRefused() {
        buffers().forEach(buffer -> {
            for (long length : new long[] {8, 16}) {
                refuses(() -> memory.write(buffer, BYTES - length + 8, 0, length));
                refuses(() -> memory.read(0, buffer, BYTES - length + 8, length));
                refuses(() -> memory.write(buffer, -8, 0, length));
                refuses(() -> memory.read(0, buffer, -8, length));
            }
        });
        clearedAll();
    }

    private void clearedAll() {
        for (int offset = 0; offset < BYTES; offset++) {
            assertThat(byteAt(offset)).isZero();
        }
    }

    private static void refuses(ThrowingCallable access) {
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(access);
    }

    private void clear() {
        for (int offset = 0; offset < BYTES; offset += Long.BYTES) {
            memory.set(offset, 0);
        }
    }

    private byte byteAt(int offset) {
        byte[] one = new byte[1];
        memory.read(offset, one, 0, 1);
        return one[0];
    }
}
