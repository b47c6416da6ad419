package org.galerna.link.verbs.registered;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.galerna.link.CommunicationException;
import org.galerna.link.Region;
import org.galerna.link.support.KeyedRegion;
import org.galerna.link.support.RegionTable;
import org.galerna.link.support.RegistrationCache;
import org.galerna.link.verbs.wire.RemoteRegion;
import org.galerna.nativeaccess.verbs.MemoryRegion;
import org.jspecify.annotations.Nullable;

/**
 * The memory that this rank lets peers reach. What the adapter can reach needs this rank no more; arrays, what may not be
 * locked, and everything where peers are to be written to, are served by it. Safe for use by many threads.
 */
public final class Regions {
    private final RegistrationCache<MemoryRegion> cache;
    private final boolean serveAll;
    private final RegionTable table = new RegionTable();

    public Regions(RegistrationCache<MemoryRegion> cache, boolean serveAll) {
        this.cache = cache;
        this.serveAll = serveAll;
    }

    public Region add(MemorySegment memory) {
        KeyedRegion entered = table.add(memory);
        if (!memory.isNative() || memory.byteSize() == 0) {
            return new Registered(entered, null, known(entered, memory, 0, 0, RemoteRegion.COPIED));
        }
        if (!serveAll) {
            try {
                RegistrationCache.Entry<MemoryRegion> entry = cache.acquire(memory);
                return new Registered(
                        entered,
                        entry,
                        known(entered, memory, memory.address(), entry.region().remoteKey(), RemoteRegion.DIRECT));
            } catch (IOException refused) {
                // too much is locked already: it goes through buffers that are
            }
        }
        return new Registered(entered, null, known(entered, memory, 0, 0, RemoteRegion.SERVED));
    }

    private static RemoteRegion known(
            KeyedRegion entered, MemorySegment memory, long address, int remoteKey, int kind) {
        return new RemoteRegion(entered.key(), memory.byteSize(), address, remoteKey, kind);
    }

    /** A part of a region of this rank; null if there is none of that key, or it has no such part. */
    @Nullable
    public MemorySegment find(long key, long offset, long length) {
        return table.find(key, offset, length);
    }

    /** Copies between a region of this rank and other memory of it; null if that has worked. */
    @Nullable
    public CommunicationException copyHere(int rank, boolean inward, long key, long offset, MemorySegment local) {
        return table.copyHere(rank, inward, key, offset, local);
    }

    /** A region, and what peers are told of it. */
    final class Registered implements Region {
        private final KeyedRegion entered;
        private RegistrationCache.@Nullable Entry<MemoryRegion> entry; // guarded by this
        private final RemoteRegion known;

        Registered(KeyedRegion entered, RegistrationCache.@Nullable Entry<MemoryRegion> entry, RemoteRegion known) {
            this.entered = entered;
            this.entry = entry;
            this.known = known;
        }

        RemoteRegion known() {
            return known;
        }

        @Override
        public int descriptorBytes() {
            return RemoteRegion.BYTES;
        }

        @Override
        public void describe(MemorySegment frame, long at) {
            known.write(frame, at);
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
