package org.galerna.link.tcp.stream;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.galerna.link.tcp.wire.Wire;
import org.jspecify.annotations.Nullable;

/** The bytes of an array that the system takes out of it itself, behind what is in buffers. Guarded by the lock of its owner. */
final class ArrayPiece {
    private @Nullable MemorySegment source; // null: there are none
    private long at;
    private long end;

    /** Takes so many bytes of an array. */
    void begin(MemorySegment array, long offset, int length) {
        source = array;
        at = offset;
        end = offset + length;
    }

    boolean isThere() {
        return source != null;
    }

    /** Bytes that are not written yet. */
    int left() {
        return source == null ? 0 : (int) (end - at);
    }

    void drop() {
        source = null;
    }

    /** Writes; false if the socket takes no more. */
    boolean write(Wire to) throws IOException {
        MemorySegment array = source;
        if (array != null) {
            // the rest of this transfer, if there is one, follows or is not wanted any more
            at += to.send(array, at, end - at, end < array.byteSize());
            if (at < end) {
                return false;
            }
            source = null;
        }
        return true;
    }
}
