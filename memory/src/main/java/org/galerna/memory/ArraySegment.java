package org.galerna.memory;

import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * The segment over the buffer that is used most of the time, so that it need not be made for every message. The collector
 * may take it at any time, and with it the buffer. Used by one thread at a time.
 */
public final class ArraySegment {
    private record Known(Object buffer, long offset, long length, MemorySegment segment) {}

    private @Nullable WeakReference<Known> last;

    /** Of nothing yet. */
    public ArraySegment() {}

    /** A segment over all of a buffer. */
    public MemorySegment over(Object buffer) {
        return over(buffer, 0, Buffers.bytes(buffer));
    }

    /** A segment over a part of a buffer, see {@link Buffers#segment(Object, long, long)}. */
    public MemorySegment over(Object buffer, long offset, long length) {
        if (buffer instanceof MemorySegment whole && offset == 0 && length == whole.byteSize()) {
            return whole;
        }
        Known known = last == null ? null : last.get();
        if (known == null || known.buffer != buffer || known.offset != offset || known.length != length) {
            known = new Known(buffer, offset, length, Buffers.segment(buffer, offset, length));
            last = new WeakReference<>(known);
        }
        return known.segment;
    }
}
