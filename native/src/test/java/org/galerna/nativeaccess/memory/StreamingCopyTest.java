package org.galerna.nativeaccess.memory;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class StreamingCopyTest extends CopyContract {
    private static final int LINES = 5 * 64;

    @Override
    void copy(MemorySegment source, long sourceOffset, MemorySegment target, long targetOffset, long bytes) {
        StreamingCopy.copy(source, sourceOffset, target, targetOffset, bytes);
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, architectures = "amd64")
    void isThereWhereItsInstructionsAre() {
        assertThat(StreamingCopy.isAvailable()).isTrue();
    }

    @Test
    void targetsMayBeginAndEndAnywhereInALine() {
        byte[] bytes = new byte[LINES];
        new Random(20261125).nextBytes(bytes);
        MemorySegment source = MemorySegment.ofArray(bytes);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment target = arena.allocate(LINES, 64);
            for (int start = 0; start <= 64; start++) {
                for (int length = 0; length <= LINES - start; length++) {
                    target.fill((byte) 0);
                    copy(source, 0, target, start, length);
                    byte[] expected = new byte[LINES];
                    System.arraycopy(bytes, 0, expected, start, length);
                    assertThat(target.toArray(JAVA_BYTE))
                            .as("%d bytes from %d on", length, start)
                            .isEqualTo(expected);
                }
            }
        }
    }
}
