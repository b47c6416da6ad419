package org.galerna.link.support;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.Set;
import org.galerna.nativeaccess.memory.RegisteredMemory;
import org.jspecify.annotations.Nullable;

/**
 * Memory that stays registered after its use, because the next message often comes out of the same: a pin-down cache
 * (Tezuka et al., 1998), as {@code ibvdev} and {@code ugnidev} have one. Looked through from the latest entry backwards; of what is not in use
 * the oldest goes first when there are too many entries or bytes. Programs that never use memory twice are not made to pay: after many misses in a row
 * registrations are not kept for a while.
 *
 * <p>An entry serves memory of the scope (the arena) only that it was made for, and only while that lives: when an arena is
 * closed, its addresses may be given to others. Memory of no arena that ends, which somebody may have mapped and may unmap,
 * is not kept. Ranges are whole pages, as the adapter locks them.
 */
public final class RegistrationCache<R extends RegisteredMemory> implements AutoCloseable {
    private static final long PAGE = 4096;
    private static final long MOST_BYTES = 1L << 30;
    private static final int MISSES = 64;

    private final Registrar<R> registrar;
    private final int most;
    private final List<Entry<R>> entries = new ArrayList<>(); // that are kept, the latest last
    private final Set<Entry<R>> passing = new HashSet<>(); // that are not
    private boolean closed;
    private long bytes;
    private int missesInARow;
    private int uncached; // registrations that are still not to be kept

    /** Registers memory. */
    @FunctionalInterface
    public interface Registrar<R> {
        /** Registers whole pages. */
        R register(long address, long length) throws IOException;
    }

    /** Something registered. */
    public static final class Entry<R extends RegisteredMemory> {
        private final R region;
        private final @Nullable WeakReference<MemorySegment.Scope> scope; // null if it is not kept
        private int uses;

        Entry(R region, @Nullable WeakReference<MemorySegment.Scope> scope) {
            this.region = region;
            this.scope = scope;
        }

        /** What is registered. */
        public R region() {
            return region;
        }

        private boolean serves(MemorySegment memory) {
            return scope != null
                    && memory.scope().equals(scope.get())
                    && memory.address() >= region.address()
                    && memory.address() + memory.byteSize() <= region.address() + region.length();
        }

        private boolean isDead() {
            if (scope == null) {
                return false;
            }
            MemorySegment.Scope known = scope.get();
            return known == null || !known.isAlive();
        }
    }

    /**
     * An empty cache.
     *
     * @param most entries that are kept; 0 to keep none
     */
    public RegistrationCache(Registrar<R> registrar, int most) {
        this.registrar = registrar;
        this.most = most;
    }

    /**
     * Registers memory, or finds it registered.
     *
     * @param memory outside the heap, at least a byte
     * @throws IOException if the adapter or the system refuses, or this is closed
     */
    public synchronized Entry<R> acquire(MemorySegment memory) throws IOException {
        if (closed) {
            throw new IOException("the link is closed");
        }
        boolean keep = most > 0 && !memory.scope().equals(Arena.global().scope());
        if (keep) {
            for (ListIterator<Entry<R>> each = entries.listIterator(entries.size()); each.hasPrevious(); ) {
                Entry<R> entry = each.previous();
                if (entry.serves(memory)) {
                    entry.uses++;
                    missesInARow = 0;
                    uncached = 0;
                    return entry;
                }
            }
            keep = isWorthKeeping();
        }
        Entry<R> entry = new Entry<>(register(memory), keep ? new WeakReference<>(memory.scope()) : null);
        entry.uses = 1;
        if (keep) {
            entries.add(entry);
            bytes += entry.region.length();
            makeRoom();
        } else {
            passing.add(entry);
        }
        return entry;
    }

    private boolean isWorthKeeping() {
        if (uncached > 0) {
            uncached--;
            return false;
        }
        if (++missesInARow >= MISSES) {
            missesInARow = 0;
            uncached = MISSES;
        }
        return true;
    }

    private R register(MemorySegment memory) throws IOException {
        long start = memory.address() & -PAGE;
        long end = (memory.address() + memory.byteSize() + PAGE - 1) & -PAGE;
        try {
            return registrar.register(start, end - start);
        } catch (IOException full) {
            if (removeIdle(0, 0) == 0) {
                throw full;
            }
            return registrar.register(start, end - start);
        }
    }

    private void makeRoom() {
        if (entries.size() > most || bytes > MOST_BYTES) {
            removeIdle(most, MOST_BYTES);
        }
    }

    /** Lets idle entries go, the dead and then the oldest first, until there are no more than so many. */
    private int removeIdle(int entriesLeft, long bytesLeft) {
        int before = entries.size();
        entries.removeIf(entry -> entry.uses == 0 && entry.isDead() && drop(entry));
        for (Iterator<Entry<R>> each = entries.iterator();
                each.hasNext() && (entries.size() > entriesLeft || bytes > bytesLeft); ) {
            Entry<R> entry = each.next();
            if (entry.uses == 0) {
                drop(entry);
                each.remove();
            }
        }
        return before - entries.size();
    }

    private boolean drop(Entry<R> entry) {
        entry.region.close();
        bytes -= entry.region.length();
        return true;
    }

    /** Ends a use. */
    public synchronized void release(Entry<R> entry) {
        entry.uses--;
        if (closed) {
            return;
        }
        if (entry.scope == null) {
            passing.remove(entry);
            entry.region.close();
        } else if (entry.uses == 0 && entry.isDead()) {
            entries.remove(entry);
            drop(entry);
        } else {
            makeRoom();
        }
    }

    /** Lets all memory go, that of regions that nobody has closed, too. */
    @Override
    public synchronized void close() {
        closed = true;
        entries.forEach(entry -> entry.region.close());
        entries.clear();
        passing.forEach(entry -> entry.region.close());
        passing.clear();
        bytes = 0;
    }
}
