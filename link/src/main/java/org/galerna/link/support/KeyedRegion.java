package org.galerna.link.support;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.galerna.link.Descriptor;
import org.galerna.link.Region;

/** A region whose descriptor is one number, by which its owner or the peer finds it in a table. */
public interface KeyedRegion extends Region {
    /** What no region has for a key. */
    long NO_KEY = 0;

    /** Layout of the descriptor. */
    ValueLayout.OfLong KEY = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(LITTLE_ENDIAN);

    /** The number. */
    long key();

    @Override
    default int descriptorBytes() {
        return Long.BYTES;
    }

    @Override
    default void describe(MemorySegment frame, long at) {
        frame.set(KEY, at, key());
    }

    /** The number in a descriptor; {@link #NO_KEY} if it is none of such a region. */
    static long key(Descriptor region) {
        return region.length() == Long.BYTES ? region.getLong(0) : NO_KEY;
    }
}
