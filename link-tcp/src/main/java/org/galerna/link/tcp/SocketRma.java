package org.galerna.link.tcp;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.galerna.link.Descriptor;
import org.galerna.link.Region;
import org.galerna.link.Rma;
import org.galerna.link.TransferCompletion;
import org.galerna.link.support.KeyedRegion;
import org.galerna.link.support.PendingPuts;
import org.galerna.link.support.RegionTable;
import org.galerna.link.tcp.connecting.Membership;
import org.galerna.link.tcp.stream.Connection;
import org.galerna.link.tcp.stream.Transfers;
import org.jspecify.annotations.Nullable;

/** Transfers by frames of their own, which the owner of a region serves while it polls. */
final class SocketRma implements Rma {
    private final SocketLink link;
    private final int rank;
    private final Membership membership;
    private final RegionTable regions;
    private final AtomicReferenceArray<@Nullable PendingPuts> puts; // made when they are needed

    SocketRma(SocketLink link, int rank, int size, RegionTable regions, Membership membership) {
        this.link = link;
        this.rank = rank;
        this.regions = regions;
        this.membership = membership;
        this.puts = new AtomicReferenceArray<>(size);
    }

    @Override
    public Region register(MemorySegment memory, @Nullable Region former) {
        return regions.add(memory, former);
    }

    @Override
    public void get(int peer, Descriptor region, long offset, MemorySegment local, TransferCompletion completion) {
        long key = KeyedRegion.key(region);
        if (peer == rank) {
            completion.completed(regions.copyHere(rank, true, key, offset, local));
        } else {
            transfersWith(peer).get(key, offset, local, completion);
        }
    }

    @Override
    public void put(int peer, Descriptor region, long offset, MemorySegment local, TransferCompletion completion) {
        long key = KeyedRegion.key(region);
        if (peer == rank) {
            completion.completed(regions.copyHere(rank, false, key, offset, local));
        } else {
            transfersWith(peer).put(key, offset, local, puts(peer).begin(completion));
        }
    }

    @Override
    public void flush(int peer, TransferCompletion completion) {
        puts(peer).flush(completion);
    }

    private PendingPuts puts(int peer) {
        PendingPuts known = puts.get(peer);
        if (known == null) {
            PendingPuts fresh = new PendingPuts();
            known = puts.compareAndExchange(peer, null, fresh);
            return known == null ? fresh : known;
        }
        return known;
    }

    private Transfers transfersWith(int peer) {
        link.connect(peer);
        return membership.connection(peer).transfers();
    }

    @Override
    public boolean assist() {
        boolean moved = false;
        for (Connection each : membership.connected()) {
            moved |= each.takeMoved();
        }
        return moved;
    }
}
