package org.galerna.link.transfer;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.galerna.link.CommunicationException;
import org.galerna.link.Descriptor;
import org.galerna.link.PeerLostException;
import org.galerna.link.Region;
import org.galerna.link.Rma;
import org.galerna.link.TransferCompletion;
import org.galerna.link.support.PendingPuts;
import org.jspecify.annotations.Nullable;

/** Transfers by remote memory access, started by the rank that asks, or by the owner of the region. */
public final class TransferRma implements Rma {
    private final Owner owner;
    private final int rank;
    private final Regions regions;
    private final Transfers transfers;
    private final PendingPuts[] puts;

    /** The link of which it is a part. */
    public interface Owner {
        /**
         * The way to a peer; begins to connect, if that is not done.
         *
         * @throws CommunicationException if that is impossible
         */
        TransferPeer reach(int peer);

        /** Whether a peer has left or is lost. */
        boolean isGone(int peer);

        /** Whether this rank has left. */
        boolean isStopped();

        /** Goes on with transfers that were begun just now, unless another thread polls, which does it. */
        void advanceTransfers();

        /**
         * All writes to a peer are over. Calls the completion once they can be seen there: at once, unless the network tells
         * their end earlier.
         */
        default void flush(int peer, TransferCompletion completion) {
            completion.completed(null);
        }
    }

    /** Of a rank of so many. */
    public TransferRma(int rank, int size, Owner owner, Transfers transfers) {
        this.owner = owner;
        this.rank = rank;
        this.regions = transfers.regions();
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
                owner.flush(peer, completion);
            }
        });
    }

    /** Begins to connect to a peer; why that is impossible, or null. */
    private @Nullable CommunicationException unreachable(int peer) {
        if (peer == rank) {
            return null;
        }
        String reason = null;
        try {
            TransferPeer unused = owner.reach(peer);
            if (owner.isGone(peer)) {
                return new PeerLostException(
                        "rank " + rank + " cannot reach the memory of rank " + peer + ": rank " + peer + " is gone");
            } else if (owner.isStopped()) {
                reason = "this rank has left the job itself";
            }
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
        transfers.begin(new Transfer(transfers, owner.reach(peer), rank, inward, region, offset, local, completion));
        owner.advanceTransfers();
    }
}
