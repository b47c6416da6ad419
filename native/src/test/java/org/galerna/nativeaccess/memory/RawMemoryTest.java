package org.galerna.nativeaccess.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RawMemoryTest {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** Outside the heap, a part of that, and in it: 64 bytes each. */
    static List<MemorySegment> memories() {
        return List.of(
                Arena.ofAuto().allocate(64, 8),
                Arena.ofAuto().allocate(192, 8).asSlice(64, 64),
                MemorySegment.ofArray(new long[8]),
                MemorySegment.ofArray(new long[16]).asSlice(32, 64));
    }

    @ParameterizedTest
    @MethodSource("memories")
    void readsWhatWasWrittenWhereASegmentHasIt(MemorySegment memory) {
        RawMemory.setLongRelease(memory, 8, 0x1122334455667788L);
        RawMemory.setLong(memory, 19, -2);
        assertThat(memory.get(LONG, 8)).isEqualTo(0x1122334455667788L);
        assertThat(memory.get(LONG, 19)).isEqualTo(-2);
        assertThat(RawMemory.getLongAcquire(memory, 8)).isEqualTo(0x1122334455667788L);
        assertThat(RawMemory.getIntAcquire(memory, 8)).isEqualTo(0x55667788);
        assertThat(RawMemory.getIntOpaque(memory, 12)).isEqualTo(0x11223344);
        assertThat(RawMemory.getLong(memory, 19)).isEqualTo(-2);
        assertThat(Stream.of(0, 27, 55).map(at -> memory.get(LONG, at))).containsOnly(0L);
    }

    @ParameterizedTest
    @MethodSource("memories")
    void refusesOrderedAccessesThatNoProcessorHas(MemorySegment memory) {
        assertThatThrownBy(() -> RawMemory.getLongAcquire(memory, 4)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RawMemory.setLongRelease(memory, 12, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RawMemory.getIntOpaque(memory, 2)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void checksWhatLiesInTheHeap() {
        MemorySegment memory = MemorySegment.ofArray(new long[1]);
        assertThatThrownBy(() -> RawMemory.getLong(memory, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> RawMemory.setLong(memory, 1, 1)).isInstanceOf(IndexOutOfBoundsException.class);
    }
}
