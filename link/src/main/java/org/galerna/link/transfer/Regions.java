package org.galerna.link.transfer;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.galerna.link.CommunicationException;
import org.galerna.link.Region;
import org.galerna.link.support.KeyedRegion;
import org.galerna.link.support.RegionTable;
import org.galerna.link.support.RegistrationCache;
import org.jspecify.annotations.Nullable;

/**
 * The memory that this rank lets peers reach. What the network can reach needs this rank no more than to make progress; arrays,
 * what may not be registered, and everything where peers are to be written to, are served by it. Safe for use by many threads.
 */
final class Regions {
    private final RegistrationCache<AdapterMemory> cache;
    private final boolean serveAll;
    private final RegionTable table = new RegionTable();

    Regions(RegistrationCache<AdapterMemory> cache, boolean serveAll) {
        this.cache = cache;
        this.serveAll = serveAll;
    }

    Region add(MemorySegment memory) {
        KeyedRegion entered = table.add(memory);
        if (!memory.isNative() || memory.byteSize() == 0) {
            return new Known(entered, null, told(entered, memory, 0, 0, RemoteRegion.COPIED));
        }
        if (!serveAll) {
            try {
                RegistrationCache.Entry<AdapterMemory> entry = cache.acquire(memory);
                AdapterMemory registered = entry.region();
                return new Known(
                        entered,
                        entry,
                        told(
                                entered,
                                memory,
                                registered.remoteAddress(memory.address()),
                                registered.remoteKey(),
                                RemoteRegion.DIRECT));
            } catch (IOException refused) {
                // too much is registered already: it goes through buffers that are
            }
        }
        return new Known(entered, null, told(entered, memory, 0, 0, RemoteRegion.SERVED));
    }

    private static RemoteRegion told(
            KeyedRegion entered, MemorySegment memory, long address, long remoteKey, int kind) {
        return new RemoteRegion(entered.key(), memory.byteSize(), address, remoteKey, kind);
    }

    /** A part of a region of this rank; null if there is none of that key, or it has no such part. */
    @Nullable
    MemorySegment find(long key, long offset, long length) {
        return table.find(key, offset, length);
    }

    /** Copies between a region of this rank and other memory of it; null if that has worked. */
    @Nullable
    CommunicationException copyHere(int rank, boolean inward, long key, long offset, MemorySegment local) {
        return table.copyHere(rank, inward, key, offset, local);
    }

    /** A region, and what peers are told of it. */
    private final class Known implements Region {
        private final KeyedRegion entered;
        private RegistrationCache.@Nullable Entry<AdapterMemory> entry; // guarded by this
        private final RemoteRegion told;

        Known(KeyedRegion entered, RegistrationCache.@Nullable Entry<AdapterMemory> entry, RemoteRegion told) {
            this.entered = entered;
            this.entry = entry;
            this.told = told;
        }

        @Override
        public int descriptorBytes() {
            return RemoteRegion.BYTES;
        }

        @Override
        public void describe(MemorySegment frame, long at) {
            told.write(frame, at);
        }

        @Override
        public synchronized void close() {
            entered.close();
            if (entry != null) {
                cache.release(entry);
                entry = null;
            }
        }
    }
}
