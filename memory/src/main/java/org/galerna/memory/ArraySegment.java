package org.galerna.link.tcp;

import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import org.galerna.memory.Buffers;
import org.jspecify.annotations.Nullable;

/**
 * The segment over the array that is used most of the time, so that it need not be made for every message. The collector
 * may take it at any time. Used by one thread at a time.
 */
final class ArraySegment {
    private record Known(Object array, MemorySegment segment) {}

    private @Nullable WeakReference<Known> last;

    /** The segment over all of an array. */
    MemorySegment over(Object array) {
        Known known = last == null ? null : last.get();
        if (known == null || known.array != array) {
            known = new Known(array, Buffers.segment(array));
            last = new WeakReference<>(known);
        }
        return known.segment;
    }
}
