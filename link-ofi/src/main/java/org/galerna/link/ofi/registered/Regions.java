package org.galerna.link.ofi.registered;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.galerna.link.CommunicationException;
import org.galerna.link.Region;
import org.galerna.link.ofi.adapter.Engine;
import org.galerna.link.ofi.wire.RemoteRegion;
import org.galerna.link.support.KeyedRegion;
import org.galerna.link.support.RegionTable;
import org.galerna.link.support.RegistrationCache;
import org.jspecify.annotations.Nullable;

/**
 * The memory that this rank lets peers reach. What the provider can reach needs this rank no more than to make progress; arrays,
 * and what may not be registered, are served by it. Safe for use by many threads.
 */
public final class Regions {
    private final RegistrationCache<Engine.Registered> cache;
    private final RegionTable table = new RegionTable();

    public Regions(RegistrationCache<Engine.Registered> cache) {
        this.cache = cache;
    }

    public Region add(MemorySegment memory) {
        KeyedRegion entered = table.add(memory);
        if (memory.isNative() && memory.byteSize() > 0) {
            try {
                RegistrationCache.Entry<Engine.Registered> entry = cache.acquire(memory);
                var registered = entry.region().memory();
                return new Known(
                        entered,
                        entry,
                        new RemoteRegion(
                                entered.key(),
                                memory.byteSize(),
                                registered.remoteAddress(memory.address()),
                                registered.key(),
                                RemoteRegion.DIRECT));
            } catch (IOException refused) {
                // too much is registered already: it goes through buffers that are
            }
        }
        return new Known(entered, null, new RemoteRegion(entered.key(), memory.byteSize(), 0, 0, RemoteRegion.COPIED));
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
    private final class Known implements Region {
        private final KeyedRegion entered;
        private RegistrationCache.@Nullable Entry<Engine.Registered> entry; // guarded by this
        private final RemoteRegion told;

        Known(KeyedRegion entered, RegistrationCache.@Nullable Entry<Engine.Registered> entry, RemoteRegion told) {
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
