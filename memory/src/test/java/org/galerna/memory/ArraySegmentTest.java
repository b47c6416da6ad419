package org.galerna.memory;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class ArraySegmentTest {
    private final ArraySegment segments = new ArraySegment();
    private final byte[] array = {0, 1, 2, 3, 4, 5, 6, 7};

    @Test
    void theSameArrayHasTheSameSegment() {
        MemorySegment first = segments.over(array);
        assertThat(first.toArray(JAVA_BYTE)).isEqualTo(array);
        assertThat(segments.over(array)).isSameAs(first);
        assertThat(segments.over(array, 0, array.length)).isSameAs(first);
    }

    @Test
    void partsAreWhatTheyAreAskedFor() {
        assertThat(segments.over(array, 2, 3).toArray(JAVA_BYTE)).containsExactly(2, 3, 4);
        assertThat(segments.over(array, 2, 4).toArray(JAVA_BYTE)).containsExactly(2, 3, 4, 5);
        assertThat(segments.over(array, 3, 4).toArray(JAVA_BYTE)).containsExactly(3, 4, 5, 6);
        assertThat(segments.over(array, 3, 4)).isSameAs(segments.over(array, 3, 4));
    }

    @Test
    void anEqualArrayIsAnotherOne() {
        MemorySegment first = segments.over(array);
        byte[] other = array.clone();
        segments.over(other).set(JAVA_BYTE, 0, (byte) 42);
        assertThat(other[0]).isEqualTo((byte) 42);
        assertThat(first.get(JAVA_BYTE, 0)).isZero();
    }

    @Test
    void aSegmentIsItsOwn() {
        MemorySegment whole = MemorySegment.ofArray(array);
        assertThat(segments.over(whole)).isSameAs(whole);
        assertThat(segments.over(whole, 1, 2).toArray(JAVA_BYTE)).containsExactly(1, 2);
    }
}
