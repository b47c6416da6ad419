package org.galerna.link.verbs;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.galerna.link.CommunicationException;
import org.galerna.link.Region;
import org.galerna.link.RegionTable;
import org.galerna.nativeaccess.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * The memory that this rank lets peers reach. What the adapter can reach is in the {@link RegionDirectory} and needs this
 * rank no more; arrays, what may not be locked, and everything where peers are to be written to, are served by it. Safe for use
 * by many threads.
 */
final class Regions {
    /** In the key of a region that its owner serves. */
    static final long SERVED = 1L << 62;

    /** In the key of such a region that the owner need not copy. */
    static final long SERVED_NATIVE = 1L << 61;

    private final RegistrationCache cache;
    private final RegionDirectory directory;
    private final boolean serveAll;
    private final RegionTable served = new RegionTable();
    private final AtomicReferenceArray<@Nullable Direct> direct = new AtomicReferenceArray<>(RegionDirectory.CAPACITY);

    Regions(RegistrationCache cache, RegionDirectory directory, boolean serveAll) {
        this.cache = cache;
        this.directory = directory;
        this.serveAll = serveAll;
    }

    RegionDirectory directory() {
        return directory;
    }

    /** Whether the owner of a region takes part in transfers; otherwise a key names it to its peers' adapters. */
    static boolean isServed(long key) {
        return (key & SERVED) != 0;
    }

    /** Whether a key is one that this class can have given. */
    static boolean isKey(long key) {
        return key > 0 && (isServed(key) || (key & SERVED_NATIVE) == 0);
    }

    Region add(MemorySegment memory) {
        if (memory.isNative() && memory.byteSize() > 0) {
            Region region = serveAll ? null : addDirect(memory);
            return region != null ? region : new Served(served.add(memory), SERVED | SERVED_NATIVE);
        }
        return new Served(served.add(memory), SERVED);
    }

    private @Nullable Region addDirect(MemorySegment memory) {
        RegistrationCache.Entry entry;
        try {
            entry = cache.acquire(memory);
        } catch (VerbsException refused) { // too much is locked already: it goes through buffers that are
            return null;
        }
        long key = directory.add(memory.address(), memory.byteSize(), entry.remoteKey());
        if (key < 0) {
            cache.release(entry);
            return null;
        }
        Direct region = new Direct(key, memory, entry);
        direct.set((int) key & (RegionDirectory.CAPACITY - 1), region);
        return region;
    }

    /** A part of a region of this rank; null if there is none of that key, or it has no such part. */
    @Nullable
    MemorySegment find(long key, long offset, long length) {
        if (!isKey(key)) {
            return null;
        }
        if (isServed(key)) {
            return served.find(key & ~(SERVED | SERVED_NATIVE), offset, length);
        }
        Direct region = direct.get((int) key & (RegionDirectory.CAPACITY - 1));
        if (region == null || region.key != key || offset < 0 || offset > region.memory.byteSize() - length) {
            return null;
        }
        return region.memory.asSlice(offset, length);
    }

    /**
     * Copies between a region of this rank and other memory of it; null if that has worked.
     *
     * @param inward whether out of the region
     */
    @Nullable
    CommunicationException copyHere(int rank, boolean inward, long key, long offset, MemorySegment local) {
        MemorySegment part = find(key, offset, local.byteSize());
        if (part == null) {
            return new CommunicationException("rank " + rank + " has no registered memory of " + local.byteSize()
                    + " bytes at offset " + offset + " under key " + key);
        }
        try {
            MemorySegment.copy(inward ? part : local, 0, inward ? local : part, 0, local.byteSize());
            return null;
        } catch (RuntimeException inaccessible) { // freed, read-only, or another thread's alone
            return new CommunicationException(
                    "rank " + rank + " could not copy " + local.byteSize() + " bytes within its memory: "
                            + inaccessible.getMessage(),
                    inaccessible);
        }
    }

    private final class Direct implements Region {
        private final long key;
        private final MemorySegment memory;
        private final RegistrationCache.Entry entry;

        Direct(long key, MemorySegment memory, RegistrationCache.Entry entry) {
            this.key = key;
            this.memory = memory;
            this.entry = entry;
        }

        @Override
        public long key() {
            return key;
        }

        @Override
        public void close() {
            if (direct.compareAndSet((int) key & (RegionDirectory.CAPACITY - 1), this, null)) {
                directory.remove(key);
                cache.release(entry);
            }
        }
    }

    private record Served(Region region, long flags) implements Region {
        @Override
        public long key() {
            return region.key() | flags;
        }

        @Override
        public void close() {
            region.close();
        }
    }
}
