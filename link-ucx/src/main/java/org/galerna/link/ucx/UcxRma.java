package org.galerna.link.ucx;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.galerna.link.CommunicationException;
import org.galerna.link.Descriptor;
import org.galerna.link.PeerLostException;
import org.galerna.link.Region;
import org.galerna.link.Rma;
import org.galerna.link.TransferCompletion;
import org.galerna.link.support.KeyedRegion;
import org.galerna.link.support.PendingPuts;
import org.galerna.link.support.RegistrationCache;
import org.jspecify.annotations.Nullable;

/** Transfers by UCX's get and put; of regions in arrays, and of the rank with itself, by the control link. */
final class UcxRma implements Rma {
    private static final int CACHED_REGIONS = 64;

    private final UcxLink link;
    private final Worker worker;
    private final Rma control;
    private final RegistrationCache<SharedMemory> cache;
    private final Pieces pieces = new Pieces();
    private final PendingPuts[] puts;

    UcxRma(UcxLink link, Worker worker, Rma control, int size) {
        this.link = link;
        this.worker = worker;
        this.control = control;
        this.cache = new RegistrationCache<>(
                (address, length) -> SharedMemory.register(worker, address, length), CACHED_REGIONS);
        this.puts = new PendingPuts[size];
        Arrays.setAll(puts, _ -> new PendingPuts());
    }

    @Override
    public Region register(MemorySegment memory, @Nullable Region former) {
        Region region = control.register(memory, former);
        if (!memory.isNative() || memory.byteSize() == 0 || !(region instanceof KeyedRegion keyed)) {
            return region;
        }
        try {
            RegistrationCache.Entry<SharedMemory> entry = cache.acquire(memory);
            if (RemoteRegion.hasRoomFor(entry.region().key())) {
                return new UcxRegion(this, keyed, entry, memory);
            }
            cache.release(entry);
            return region;
        } catch (IOException refused) { // too much is locked already: the control link carries it
            return region;
        }
    }

    void release(RegistrationCache.Entry<SharedMemory> entry) {
        cache.release(entry);
    }

    @Override
    public void get(int peer, Descriptor region, long offset, MemorySegment local, TransferCompletion completion) {
        transfer(true, peer, region, offset, local, completion);
    }

    @Override
    public void put(int peer, Descriptor region, long offset, MemorySegment local, TransferCompletion completion) {
        transfer(false, peer, region, offset, local, puts[peer].begin(completion));
    }

    private void transfer(
            boolean inward,
            int peer,
            Descriptor descriptor,
            long offset,
            MemorySegment local,
            TransferCompletion completion) {
        RemoteRegion region = RemoteRegion.read(descriptor);
        if (region != null && peer != link.rank()) {
            transfer(inward, peer, region, offset, local, completion);
            return;
        }
        Descriptor own = region == null ? descriptor : region.ofControl();
        TransferCompletion later = peer == link.rank() ? completion : inPoll(completion);
        if (inward) {
            control.get(peer, own, offset, local, later);
        } else {
            control.put(peer, own, offset, local, later);
        }
    }

    /** The control link completes on the manager's thread; users want it in the thread that polls. */
    private TransferCompletion inPoll(TransferCompletion completion) {
        return failure -> link.complete(() -> completion.completed(failure));
    }

    private void transfer(
            boolean inward,
            int peer,
            RemoteRegion region,
            long offset,
            MemorySegment local,
            TransferCompletion completion) {
        if (!region.contains(offset, local.byteSize())) {
            completion.completed(new CommunicationException("rank " + peer + " has no registered memory of "
                    + local.byteSize() + " bytes at offset " + offset + " of such a region"));
            return;
        }
        CommunicationException unreachable = unreachable(peer);
        if (unreachable != null) {
            completion.completed(unreachable);
            return;
        }
        Transfer transfer =
                new Transfer(worker, link.peer(peer), link.rank(), inward, region, offset, local, pieces, completion);
        boolean over;
        worker.lock.lock();
        try {
            over = transfer.begin(() -> link.complete(transfer::complete));
        } finally {
            worker.lock.unlock();
        }
        if (over) {
            transfer.complete();
        }
    }

    /** Connects to a peer; why that is impossible, or null. */
    private @Nullable CommunicationException unreachable(int peer) {
        if (!link.isStopped()) {
            link.connect(peer);
        }
        String text = "rank " + link.rank() + " cannot reach the memory of rank " + peer + ": ";
        if (link.peer(peer).isGone()) {
            return new PeerLostException(text + "rank " + peer + " is gone");
        }
        return link.isStopped() ? new CommunicationException(text + "this rank has left the job itself") : null;
    }

    @Override
    public void flush(int peer, TransferCompletion completion) {
        puts[peer].flush(failure -> {
            CommunicationException reason = peer == link.rank() ? null : unreachable(peer);
            if (reason != null || peer == link.rank()) {
                completion.completed(reason);
            } else {
                flushBoth(peer, completion);
            }
        });
    }

    /** What UCX has put is at the peer, and then what the control link has put. */
    private void flushBoth(int peer, TransferCompletion completion) {
        worker.lock.lock();
        try {
            Peer to = link.peer(peer);
            worker.begin(to.endpoint() == 0 ? -1 : worker.ucx.flush(to.endpoint()), status -> {
                CommunicationException failure = status == 0
                        ? null
                        : new CommunicationException("rank " + link.rank() + " does not know what has come to rank "
                                + peer + ": " + worker.ucx.describe(status));
                link.complete(() -> {
                    if (failure != null) {
                        completion.completed(failure);
                    } else {
                        control.flush(peer, inPoll(completion));
                    }
                });
            });
        } finally {
            worker.lock.unlock();
        }
    }

    /** Lets all memory go; before the worker is closed. */
    void close() {
        cache.close();
    }
}
