package org.galerna.collectives.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

final class CopyingTest {
    @Test
    void copiesWithinOneKind() {
        double[] target = new double[4];
        Copying.copy(new double[] {1, 2, 3}, 8, target, 16, 16);
        assertThat(target).containsExactly(0, 0, 2, 3);
        char[] chars = new char[3];
        Copying.copy(new char[] {'a', 'b'}, 2, chars, 4, 2);
        assertThat(chars).containsExactly('\0', '\0', 'b');
    }

    @Test
    void copiesBetweenKindsAndPartsOfNumbers() {
        byte[] bytes = {1, 2, 3, 4, 5, 6, 7, 8, 9};
        long[] longs = new long[2];
        Copying.copy(bytes, 0, longs, 3, 9);
        byte[] back = new byte[9];
        Copying.copy(longs, 3, back, 0, 9);
        assertThat(back).isEqualTo(bytes);
        int[] ints = new int[2];
        Copying.copy(new int[] {0x01010101, 0x02020202}, 2, ints, 1, 4);
        byte[] parts = new byte[8];
        Copying.copy(ints, 0, parts, 0, 8);
        assertThat(parts).containsExactly(0, 1, 1, 2, 2, 0, 0, 0);
    }

    @Test
    void copiesSegments() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(8);
            Copying.copy(new byte[] {1, 2, 3}, 0, segment, 2, 3);
            MemorySegment other = arena.allocate(8);
            Copying.copy(segment, 3, other, 0, 2);
            assertThat(other.toArray(ValueLayout.JAVA_BYTE)).containsExactly(2, 3, 0, 0, 0, 0, 0, 0);
        }
    }

    @Test
    void overlappingRangesAreCopiedAsIfThroughAThird() {
        byte[] bytes = {1, 2, 3, 4, 5};
        Copying.copy(bytes, 0, bytes, 1, 4);
        assertThat(bytes).containsExactly(1, 1, 2, 3, 4);
    }

    @Test
    void runsAreCopiedOneAfterTheOther() {
        byte[] from = {1, 2, 3, 4, 5, 6, 7, 8};
        byte[] to = new byte[8];
        Copying.copyRuns(from, 1, 3, to, 0, 2, 2, 2);
        assertThat(to).containsExactly(2, 3, 5, 6, 0, 0, 0, 0);
        Copying.copyRuns(from, 0, 2, to, 6, -2, 2, 4);
        assertThat(to).containsExactly(7, 8, 5, 6, 3, 4, 1, 2);
        Copying.copyRuns(new long[] {1, 2, 3}, 0, 16, to, 0, 8, 8, 0);
        Copying.copyRuns(from, 0, 1, to, 0, 1, 1, 8);
        assertThat(to).isEqualTo(from);
        long[] column = new long[2];
        Copying.copyRuns(new long[] {1, 2, 3, 4}, 8, 16, column, 0, 8, 8, 2);
        assertThat(column).containsExactly(2, 4);
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> Copying.copyRuns(from, 0, 3, to, 0, 3, 3, 3));
    }

    @Test
    void nothingIsCopiedOntoItself() {
        boolean[] noBuffer = new boolean[2];
        Copying.copyUnlessSame(noBuffer, 1, noBuffer, 1, 1);
        assertThat(noBuffer).containsOnly(false);
    }

    @Test
    void rejectsRangesOutsideAndWhatIsNoBuffer() {
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> Copying.copy(new byte[4], 2, new byte[4], 0, 3));
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> Copying.copy(new byte[4], 0, new long[1], 6, 3));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Copying.copy(new boolean[4], 0, new boolean[4], 0, 1))
                .withMessageContaining("boolean[]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Copying.copy(new byte[4], 0, "text", 0, 1))
                .withMessageContaining("java.lang.String");
    }
}
