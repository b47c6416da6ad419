package org.galerna.link.ofi;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.galerna.link.CommunicationException;
import org.galerna.link.Descriptor;
import org.galerna.link.Region;
import org.galerna.link.Rma;
import org.galerna.link.TransferCompletion;
import org.galerna.link.ofi.connection.Peer;
import org.galerna.link.ofi.registered.Regions;
import org.galerna.link.ofi.transfer.Transfer;
import org.galerna.link.ofi.transfer.Transfers;
import org.galerna.link.ofi.wire.RemoteRegion;
import org.galerna.link.support.PendingPuts;
import org.jspecify.annotations.Nullable;

/**
 * Transfers by remote memory access, started by the rank that asks, or by the owner of the region. A write is over when it is in
 * the peer's memory, so that a flush is over when all writes are.
 */
final class OfiRma implements Rma {
    private final OfiLink link;
    private final int rank;
    private final Regions regions;
    private final Transfers transfers;
    private final PendingPuts[] puts;

    OfiRma(OfiLink link, int size, Regions regions, Transfers transfers) {
        this.link = link;
        this.rank = link.rank();
        this.regions = regions;
        this.transfers = transfers;
        this.puts = new PendingPuts[size];
        Arrays.setAll(puts, peer -> new PendingPuts());
    }

    @Override
    public Region register(MemorySegment memory, @Nullable Region former) {
        return regions.add(memory);
    }

    @Override
    public void get(int peer, Descriptor region, long offset, MemorySegment local, TransferCompletion completion) {
        transfer(true, peer, region, offset, local, completion);
    }

    @Override
    public void put(int peer, Descriptor region, long offset, MemorySegment local, TransferCompletion completion) {
        transfer(false, peer, region, offset, local, puts[peer].begin(completion));
    }

    @Override
    public void flush(int peer, TransferCompletion completion) {
        puts[peer].flush(over -> completion.completed(peer == rank ? null : unreachable(peer)));
    }

    /** Connects to a peer; why that is impossible, or null. */
    private @Nullable CommunicationException unreachable(int peer) {
        String reason = null;
        try {
            Peer connected = link.peer(peer);
            reason = !connected.isUp()
                    ? "rank " + peer + " is gone"
                    : link.isStopped() ? "this rank has left the job itself" : null;
        } catch (CommunicationException unknown) {
            reason = String.valueOf(unknown.getMessage());
        }
        return reason == null
                ? null
                : new CommunicationException(
                        "rank " + rank + " cannot reach the memory of rank " + peer + ": " + reason);
    }

    private void transfer(
            boolean inward,
            int peer,
            Descriptor descriptor,
            long offset,
            MemorySegment local,
            TransferCompletion completion) {
        RemoteRegion region = RemoteRegion.read(descriptor);
        if (region == null || !region.contains(offset, local.byteSize())) {
            completion.completed(new CommunicationException("rank " + peer + " has no registered memory of "
                    + local.byteSize() + " bytes at offset " + offset + " of such a region"));
            return;
        }
        if (peer == rank) {
            completion.completed(regions.copyHere(rank, inward, region.key(), offset, local));
            return;
        }
        CommunicationException unreachable = unreachable(peer);
        if (unreachable != null) {
            completion.completed(unreachable);
            return;
        }
        transfers.begin(new Transfer(transfers, link.peer(peer), rank, inward, region, offset, local, completion));
        link.advanceTransfers();
    }
}
