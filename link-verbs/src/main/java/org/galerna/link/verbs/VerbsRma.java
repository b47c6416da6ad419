package org.galerna.link.verbs;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.galerna.link.Channel;
import org.galerna.link.CommunicationException;
import org.galerna.link.Descriptor;
import org.galerna.link.Region;
import org.galerna.link.Rma;
import org.galerna.link.TransferCompletion;
import org.galerna.link.support.PendingPuts;
import org.galerna.link.verbs.connection.Connection;
import org.galerna.link.verbs.connection.Connections;
import org.galerna.link.verbs.registered.Regions;
import org.galerna.link.verbs.transfer.Flush;
import org.galerna.link.verbs.transfer.Transfer;
import org.galerna.link.verbs.transfer.Transfers;
import org.galerna.link.verbs.wire.RemoteRegion;
import org.jspecify.annotations.Nullable;

/** Transfers by RDMA, started by the rank that asks, or by the owner of the region where its adapter cannot reach that. */
final class VerbsRma implements Rma {
    private final Owner owner;
    private final int rank;
    private final Regions regions;
    private final Transfers transfers;
    private final PendingPuts[] puts;

    /** The link of which it is a part. */
    interface Owner {
        /** Connects to a peer, if that is not done. */
        Channel connect(int peer);

        /** The connections there are. */
        Connections connections();

        /** Whether this rank has left. */
        boolean isStopped();

        /** Goes on with transfers that were begun just now, unless another thread polls, which does it. */
        void advanceTransfers();
    }

    VerbsRma(int rank, int size, Owner owner, Regions regions, Transfers transfers) {
        this.owner = owner;
        this.rank = rank;
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
        puts[peer].flush(over -> {
            CommunicationException reason = unreachable(peer);
            if (reason != null || peer == rank) {
                completion.completed(reason);
            } else {
                transfers.begin(new Flush(transfers, owner.connections().to(peer), completion));
                owner.advanceTransfers();
            }
        });
    }

    /** Connects to a peer; why that is impossible, or null. */
    private @Nullable CommunicationException unreachable(int peer) {
        if (peer == rank) {
            return null;
        }
        owner.connect(peer);
        boolean gone = owner.connections().to(peer).state() == Connection.State.GONE;
        return gone || owner.isStopped()
                ? new CommunicationException("rank " + rank + " cannot reach the memory of rank " + peer + ": "
                        + (gone ? "rank " + peer + " is gone" : "this rank has left the job itself"))
                : null;
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
        transfers.begin(
                new Transfer(transfers, owner.connections().to(peer), rank, inward, region, offset, local, completion));
        owner.advanceTransfers();
    }
}
