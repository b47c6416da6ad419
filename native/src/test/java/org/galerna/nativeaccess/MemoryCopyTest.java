package org.galerna.nativeaccess;

import java.lang.foreign.MemorySegment;

class MemoryCopyTest extends CopyContract {
    @Override
    void copy(MemorySegment source, long sourceOffset, MemorySegment target, long targetOffset, long bytes) {
        MemoryCopy.copy(source, sourceOffset, target, targetOffset, bytes);
    }
}
