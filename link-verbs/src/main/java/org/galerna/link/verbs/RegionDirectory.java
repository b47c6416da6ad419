package org.galerna.link.verbs;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.BitSet;
import org.galerna.nativeaccess.verbs.MemoryRegion;
import org.galerna.nativeaccess.verbs.ProtectionDomain;
import org.galerna.nativeaccess.verbs.VerbsException;

/**
 * The regions that peers may reach without this rank: a table in registered memory, which they read by RDMA before they
 * read or write the region itself. A {@link org.galerna.link.Region#key} has no room for an address and an adapter's key,
 * and a wrong one must be refused before it breaks the connection.
 *
 * <pre>
 *    0 +------------------------+
 *      | key (8), 0 if closed   |
 *    8 +------------------------+
 *      | address (8)            |
 *   16 +------------------------+
 *      | length (8)             |
 *   24 +------------+-----------+
 *      | rkey (4)   | 0         |
 *   32 +------------+-----------+
 *      | 0                      |
 *   56 +------------------------+
 *      | key (8), once more     |
 *   64 +------------------------+
 * </pre>
 *
 * An entry counts only if both keys are the one that is looked for: it may be read while it is written. The second is
 * written last and cleared first.
 */
final class RegionDirectory implements AutoCloseable {
    static final int ENTRY_BYTES = 64;
    static final int CAPACITY = 8192;

    private static final int INDEX_BITS = 13;
    private static final int KEY = 0;
    private static final int ADDRESS = 8;
    private static final int LENGTH = 16;
    private static final int REMOTE_KEY = 24;
    private static final int KEY_AGAIN = 56;
    private static final ValueLayout.OfLong LONG = Frames.LONG;
    private static final VarHandle LONGS = LONG.varHandle();

    private final MemorySegment table = Arena.ofAuto().allocate((long) CAPACITY * ENTRY_BYTES, 4096);
    private final MemoryRegion region;
    private final BitSet taken = new BitSet(); // guarded by this, as the next one
    private long uses;

    RegionDirectory(ProtectionDomain domain) throws VerbsException {
        this.region = domain.register(table.address(), table.byteSize());
    }

    long address() {
        return table.address();
    }

    int remoteKey() {
        return region.remoteKey();
    }

    /** Enters memory; returns its key, or −1 if the table is full. */
    synchronized long add(long address, long length, int remoteKey) {
        int index = taken.nextClearBit(0);
        if (index == CAPACITY) {
            return -1;
        }
        taken.set(index);
        long key = (++uses << INDEX_BITS) | index;
        long at = (long) index * ENTRY_BYTES;
        table.set(LONG, at + ADDRESS, address);
        table.set(LONG, at + LENGTH, length);
        table.set(Frames.INT, at + REMOTE_KEY, remoteKey);
        LONGS.setRelease(table, at + KEY, key);
        LONGS.setRelease(table, at + KEY_AGAIN, key);
        return key;
    }

    /** Takes memory out. */
    synchronized void remove(long key) {
        long at = offset(key);
        if ((long) LONGS.getOpaque(table, at + KEY) == key) {
            LONGS.setVolatile(table, at + KEY_AGAIN, 0L);
            LONGS.setVolatile(table, at + KEY, 0L);
            taken.clear((int) (at / ENTRY_BYTES));
        }
    }

    /** Where in a table the entry of a key lies. */
    static long offset(long key) {
        return (key & (CAPACITY - 1)) * ENTRY_BYTES;
    }

    /** An entry that was read. */
    record Found(long address, long length, int remoteKey) {
        boolean contains(long offset, long bytes) {
            return offset >= 0 && offset <= length - bytes;
        }
    }

    /** What an entry says of a key; null if it is another's. */
    static @org.jspecify.annotations.Nullable Found find(MemorySegment entry, long key) {
        if (key == 0 || entry.get(LONG, KEY) != key || entry.get(LONG, KEY_AGAIN) != key) {
            return null;
        }
        return new Found(entry.get(LONG, ADDRESS), entry.get(LONG, LENGTH), entry.get(Frames.INT, REMOTE_KEY));
    }

    @Override
    public void close() {
        region.close();
    }
}
