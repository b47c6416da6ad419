package org.galerna.link.support;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.galerna.link.CommunicationException;
import org.galerna.link.Region;
import org.jspecify.annotations.Nullable;

/**
 * The memory that a rank lets its peers reach, by key, for links whose network keeps no such table. A key names a place
 * in the table and how often that place has been used, so that the key of a closed region finds nothing.
 *
 * <p>Argument: entries are written under the lock and read without it, by peers that hold a key. The key came to them
 * in a frame, whose commit (release) and poll (acquire) order the write of the entry before the read.
 */
public final class RegionTable {
    /** What {@link #takeToken} returns where there is none. */
    public static final long NO_TOKEN = -1;

    private volatile @Nullable Entry[] entries = new Entry[16]; // filled from the front
    private final List<Entry> free = new ArrayList<>();
    private int made;

    private static final class Entry {
        final int index;
        int uses;
        volatile @Nullable MemorySegment memory;
        int reader; // who is told the key, if there is a token
        long token = NO_TOKEN;

        Entry(int index) {
            this.index = index;
        }

        long key() {
            return ((long) uses << 32) | index;
        }
    }

    /** A table without regions. */
    public RegionTable() {}

    /** Enters memory under a new key, until the region is closed. */
    public KeyedRegion add(MemorySegment memory) {
        return add(memory, null);
    }

    /**
     * As {@link #add(MemorySegment)}, without allocating if a region of this table that is closed is given for it. Its
     * former owner must not use it any more.
     *
     * @throws IllegalStateException if that region is not closed
     */
    public synchronized KeyedRegion add(MemorySegment memory, @Nullable Region former) {
        Registration region = former instanceof Registration ours && ours.table() == this ? ours : new Registration();
        if (region.isOpen()) {
            throw new IllegalStateException("a region that is not closed cannot be used for other memory");
        }
        Entry entry = free.isEmpty() ? grow() : free.removeLast();
        entry.uses++;
        entry.token = NO_TOKEN;
        entry.memory = memory;
        region.entry = entry;
        region.key = entry.key();
        return region;
    }

    private Entry grow() {
        Entry entry = new Entry(made++);
        @Nullable Entry[] grown = entry.index < entries.length ? entries : Arrays.copyOf(entries, entries.length * 2);
        grown[entry.index] = entry;
        entries = grown; // also when it is the same array: a volatile write publishes the entry
        return entry;
    }

    private synchronized void remove(Registration region) {
        Entry entry = region.entry;
        if (entry != null) {
            region.entry = null;
            entry.memory = null;
            free.add(entry);
        }
    }

    /**
     * Keeps a token with an open region for the one peer that its key is going to be told. Tokens are set and taken without
     * the lock: who takes one has got the key from that peer, as with the memory.
     */
    public void setToken(long key, int reader, long token) {
        Entry entry = entry(key);
        if (entry != null) {
            entry.reader = reader;
            entry.token = token;
        }
    }

    /**
     * Takes the token of a region, which is there once; {@link #NO_TOKEN} if there is none, no such region, or if it is for
     * another peer.
     */
    public long takeToken(long key, int reader) {
        Entry entry = entry(key);
        if (entry == null || entry.memory == null || entry.key() != key || entry.reader != reader) {
            return NO_TOKEN;
        }
        long token = entry.token;
        entry.token = NO_TOKEN;
        return token;
    }

    private @Nullable Entry entry(long key) {
        @Nullable Entry[] current = entries;
        int index = (int) key;
        return index < 0 || index >= current.length ? null : current[index];
    }

    /** The memory of that key, which may be any number that a peer has sent; null if there is none. */
    public @Nullable MemorySegment find(long key) {
        Entry entry = entry(key);
        if (entry == null) {
            return null;
        }
        MemorySegment memory = entry.memory;
        return entry.key() == key ? memory : null;
    }

    /** As {@link #find(long)}, a part of it; null as well if it does not have that part. */
    public @Nullable MemorySegment find(long key, long offset, long length) {
        MemorySegment memory = find(key);
        if (memory == null || offset < 0 || length < 0 || offset > memory.byteSize() - length) {
            return null;
        }
        return memory.asSlice(offset, length);
    }

    /**
     * Copies between a region and other memory of the same rank; null if that has worked.
     *
     * @param inward whether out of the region
     */
    public @Nullable CommunicationException copyHere(
            int rank, boolean inward, long key, long offset, MemorySegment local) {
        MemorySegment memory = find(key);
        long length = local.byteSize();
        if (memory == null || offset < 0 || offset > memory.byteSize() - length) {
            return new CommunicationException("rank " + rank + " has no registered memory of " + length
                    + " bytes at offset " + offset + " under key " + key);
        }
        try {
            MemorySegment.copy(
                    inward ? memory : local, inward ? offset : 0, inward ? local : memory, inward ? 0 : offset, length);
            return null;
        } catch (RuntimeException inaccessible) { // freed, read-only, or another thread's alone
            return new CommunicationException(
                    "rank " + rank + " could not copy " + length + " bytes within its memory: "
                            + inaccessible.getMessage(),
                    inaccessible);
        }
    }

    private final class Registration implements KeyedRegion {
        private long key;
        private @Nullable Entry entry; // null: closed; under the table's lock

        RegionTable table() {
            return RegionTable.this;
        }

        boolean isOpen() {
            return entry != null;
        }

        @Override
        public long key() {
            return key;
        }

        @Override
        public void close() {
            remove(this);
        }
    }
}
