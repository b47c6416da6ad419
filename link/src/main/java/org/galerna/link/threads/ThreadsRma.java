package org.galerna.link.threads;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.galerna.link.CommunicationException;
import org.galerna.link.Descriptor;
import org.galerna.link.Region;
import org.galerna.link.Rma;
import org.galerna.link.TransferCompletion;
import org.galerna.link.support.KeyedRegion;
import org.galerna.link.support.RegionTable;
import org.galerna.memory.Buffers;
import org.galerna.memory.StridedArray;
import org.jspecify.annotations.Nullable;

/** Copies between the memory of two ranks, made by the one that asks, and by the other one too if it waits. */
final class ThreadsRma implements Rma {
    private final int rank;
    private final Fabric fabric;
    private final RegionTable regions = new RegionTable();

    /** Registered elements with gaps, by their keys. */
    private final Map<Long, StridedArray> strided = new ConcurrentHashMap<>();

    private final AtomicLong stridedRegions = new AtomicLong();
    private final HelpedCopies helpedCopies = new HelpedCopies();

    ThreadsRma(int rank, Fabric fabric) {
        this.rank = rank;
        this.fabric = fabric;
    }

    @Override
    public Region register(MemorySegment memory, @Nullable Region former) {
        return regions.add(memory, former);
    }

    Region register(StridedArray elements) {
        long key = -1 - stridedRegions.getAndIncrement(); // the other regions have keys with small lower halves
        strided.put(key, elements);
        return new KeyedRegion() {
            @Override
            public long key() {
                return key;
            }

            @Override
            public void close() {
                strided.remove(key);
            }
        };
    }

    @Override
    public void get(int peer, Descriptor region, long offset, MemorySegment local, TransferCompletion completion) {
        transfer(peer, region, offset, local, local.byteSize(), completion, true);
    }

    void get(int peer, Descriptor region, StridedArray local, long length, TransferCompletion completion) {
        transfer(peer, region, 0, local, length, completion, true);
    }

    @Override
    public void put(int peer, Descriptor region, long offset, MemorySegment local, TransferCompletion completion) {
        transfer(peer, region, offset, local, local.byteSize(), completion, false);
    }

    @Override
    public void flush(int peer, TransferCompletion completion) {
        completion.completed(null); // a put is over when it returns
    }

    private void transfer(
            int peer,
            Descriptor region,
            long offset,
            Object local,
            long length,
            TransferCompletion completion,
            boolean inward) {
        ThreadsRma remote = fabric.link(peer).rma();
        long key = KeyedRegion.key(region);
        Object part = remote.registered(key, offset, length);
        if (part == null) {
            completion.completed(new CommunicationException("rank " + peer + " has no registered memory of " + length
                    + " bytes at offset " + offset + " under key " + key));
            return;
        }
        completion.completed(inward ? copy(remote, part, local, length) : copy(remote, local, part, length));
    }

    /** A part of registered memory; null if there is none. Of elements with gaps only the first part. */
    private @Nullable Object registered(long key, long offset, long length) {
        StridedArray elements = key < 0 ? strided.get(key) : null;
        if (elements != null) {
            return offset != 0 || length > elements.byteSize() ? null : elements;
        }
        MemorySegment memory = regions.find(key);
        return memory == null || offset < 0 || offset > memory.byteSize() - length
                ? null
                : Buffers.segment(memory, offset, length);
    }

    private @Nullable CommunicationException copy(ThreadsRma remote, Object source, Object target, long length) {
        try {
            if (length <= CooperativeCopy.LEAST_SHARED || !CooperativeCopy.isPossible(source, target)) {
                CooperativeCopy.copy(source, target, 0, length);
            } else {
                remote.helpedCopies.copy(source, target, length, rank < remote.rank);
            }
            return null;
        } catch (RuntimeException failure) { // memory that is freed, read-only, or another thread's alone
            return new CommunicationException(
                    "rank " + rank + " could not copy " + length + " bytes between its memory and that of rank "
                            + remote.rank + ": " + failure.getMessage(),
                    failure);
        }
    }

    @Override
    public boolean assist() {
        return helpedCopies.assist();
    }
}
