package org.galerna.nativeaccess.memory;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Nested;

class MemoryCopyTest extends CopyContract {
    @Override
    void copy(MemorySegment source, long sourceOffset, MemorySegment target, long targetOffset, long bytes) {
        MemoryCopy.copy(source, sourceOffset, target, targetOffset, bytes);
    }

    /** As where there is no code of our own. */
    @Nested
    class InParts extends CopyContract {
        @Override
        void copy(MemorySegment source, long sourceOffset, MemorySegment target, long targetOffset, long bytes) {
            MemoryCopy.copy(source, sourceOffset, target, targetOffset, bytes, true);
        }
    }
}
