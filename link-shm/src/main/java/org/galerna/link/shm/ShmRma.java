package org.galerna.link.shm;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.galerna.link.CommunicationException;
import org.galerna.link.Descriptor;
import org.galerna.link.FrameHandler;
import org.galerna.link.Region;
import org.galerna.link.Rma;
import org.galerna.link.TransferCompletion;
import org.galerna.link.process.ProcessFence;
import org.galerna.link.shm.attachment.Attachment;
import org.galerna.link.shm.attachment.Membership;
import org.galerna.link.shm.file.AllocationLayout;
import org.galerna.link.shm.file.ControlPageLayout;
import org.galerna.link.shm.file.PairFile;
import org.galerna.link.shm.memory.OwnMemory;
import org.galerna.link.shm.memory.PeerMemory;
import org.galerna.link.shm.transfer.RequestedTransfers;
import org.galerna.link.shm.transfer.ServedTransfers;
import org.galerna.link.support.KeyedRegion;
import org.galerna.link.support.PendingPuts;
import org.galerna.link.support.RegionTable;
import org.galerna.memory.EarlyClasses;
import org.galerna.memory.OwnerLock;
import org.galerna.nativeaccess.file.SystemCallException;
import org.jspecify.annotations.Nullable;

/** Large transfers of one rank: those that it asks others for, and those that others ask it for. */
final class ShmRma implements Rma {
    static {
        EarlyClasses.initialize(RequestedTransfers.class, ServedTransfers.class);
    }

    /** Bytes that one poll moves at most, since others wait for the frames behind it. */
    static final long POLL_BUDGET = 256 * 1024;

    /** Bytes that one call for help moves at most. */
    static final long ASSIST_BUDGET = 1 << 20;

    private final Membership membership;
    private final Attachment attachment;
    private final RegionTable regions = new RegionTable();
    private final OwnMemory ownMemory;
    private final PeerMemory peerMemory;
    private final PendingPuts[] puts;
    private final AtomicReferenceArray<@Nullable RequestedTransfers> byOwner;
    private final int most;
    private volatile RequestedTransfers[] requested = {}; // written under this, as the next one
    private volatile ServedTransfers[] served = {};
    private long uses; // racy, as two transfers of the same moment are of one age
    private boolean hadFrames; // the last poll; racy, as a thread that takes it for another one's only helps later

    ShmRma(Attachment attachment, Membership membership) {
        this.membership = membership;
        this.attachment = attachment;
        this.ownMemory = new OwnMemory(attachment);
        this.peerMemory = new PeerMemory(membership.rank(), attachment);
        this.byOwner = new AtomicReferenceArray<>(attachment.board().ranks());
        this.most = most(attachment);
        this.puts = new PendingPuts[attachment.board().ranks()];
        Arrays.setAll(puts, peer -> new PendingPuts());
    }

    /**
     * How many peers this rank has files with for what it asks of them, but for those with transfers under way: as many as have a ring
     * into its queue. All where there is no queue.
     */
    static int most(Attachment attachment) {
        return attachment
                .queue()
                .map(queue -> Math.max(1, queue.limit()))
                .orElse(attachment.board().ranks());
    }

    @Override
    public Region register(MemorySegment memory, @Nullable Region former) {
        Region shared = ownMemory.register(memory);
        return shared != null ? shared : regions.add(memory, former);
    }

    @Override
    public Optional<MemorySegment> allocate(long bytes, Arena arena) {
        return ownMemory.allocate(bytes, arena);
    }

    @Override
    public void get(int peer, Descriptor region, long offset, MemorySegment local, TransferCompletion completion) {
        start(true, peer, KeyedRegion.key(region), offset, local, completion);
    }

    @Override
    public void put(int peer, Descriptor region, long offset, MemorySegment local, TransferCompletion completion) {
        start(false, peer, KeyedRegion.key(region), offset, local, puts[peer].begin(completion));
    }

    @Override
    public void flush(int peer, TransferCompletion completion) {
        puts[peer].flush(completion);
    }

    /** The link was polled, and has found something or not: who has got something does not wait. */
    void polled(boolean found) {
        hadFrames = found;
    }

    @Override
    public boolean assist() {
        boolean had = hadFrames;
        hadFrames = false; // the next poll looks after transfers
        return !had && progress(ASSIST_BUDGET);
    }

    private void start(
            boolean inward, int peer, long key, long offset, MemorySegment local, TransferCompletion completion) {
        if (AllocationLayout.isShared(key)) {
            completion.completed(peerMemory.copy(inward, peer, key, offset, local));
            return;
        }
        if (peer == membership.rank()) {
            completion.completed(regions.copyHere(membership.rank(), inward, key, offset, local));
            return;
        }
        long use = ++uses;
        boolean started = false;
        while (!started) { // again if the file is given back in between
            RequestedTransfers transfers = requireTo(peer, inward, local.byteSize(), completion);
            started = transfers == null || transfers.start(inward, key, offset, local, completion, use);
        }
    }

    /** The transfers with a peer; null if there can be none, which the completion has been told. */
    private @Nullable RequestedTransfers requireTo(
            int peer, boolean inward, long bytes, TransferCompletion completion) {
        try {
            return to(peer);
        } catch (IOException | CommunicationException failure) {
            completion.completed(new CommunicationException(
                    "rank " + membership.rank() + " cannot transfer " + bytes + " bytes "
                            + (inward ? "from rank " : "to rank ") + peer + ": " + failure.getMessage(),
                    failure));
            return null;
        }
    }

    @Override
    public boolean anticipate(int peer, Region region, long token) {
        long key = region instanceof KeyedRegion keyed ? keyed.key() : KeyedRegion.NO_KEY;
        if (AllocationLayout.isShared(key) || peer == membership.rank()) {
            return false; // which it reads by itself
        }
        regions.setToken(key, peer, token);
        return true;
    }

    /** Tells which regions have been read; by the polling thread. Returns how many. */
    int report(FrameHandler handler) {
        int told = 0;
        for (ServedTransfers each : served) {
            told += each.report(handler);
        }
        return told;
    }

    private RequestedTransfers to(int peer) throws IOException {
        RequestedTransfers transfers = byOwner.get(peer);
        return transfers != null ? transfers : open(peer);
    }

    private synchronized RequestedTransfers open(int peer) throws IOException {
        RequestedTransfers existing = byOwner.get(peer);
        if (existing != null) {
            return existing;
        }
        if (attachment.board().state(peer) != ControlPageLayout.ATTACHED) {
            String reason = membership.goneBecause(peer);
            throw new CommunicationException(
                    "rank " + peer + (reason == null ? " has not attached yet" : " is gone: " + reason));
        }
        if (requested.length >= most) {
            giveOldestBack();
        }
        RequestedTransfers added = new RequestedTransfers(
                membership.rank(), peer, attachment.createTransfers(peer), membership.bell(peer), newLock());
        byOwner.set(peer, added);
        RequestedTransfers[] grown = Arrays.copyOf(requested, requested.length + 1);
        grown[grown.length - 1] = added;
        requested = grown;
        membership.announce(peer);
        return added;
    }

    /** Transfers as old as they were at one look, whatever happens to them while they are put in order. */
    private record Aged(RequestedTransfers transfers, long lastUse) {}

    /** Of those that have no transfer under way; none if all have. */
    private void giveOldestBack() {
        List<Aged> byAge = Arrays.stream(requested)
                .map(each -> new Aged(each, each.lastUse()))
                .sorted(Comparator.comparingLong(Aged::lastUse))
                .toList();
        for (Aged aged : byAge) {
            RequestedTransfers each = aged.transfers;
            if (each.giveBack()) {
                byOwner.set(each.peer(), null);
                requested =
                        Arrays.stream(requested).filter(other -> other != each).toArray(RequestedTransfers[]::new);
                membership.announce(each.peer());
                return;
            }
        }
    }

    private static OwnerLock newLock() {
        return new OwnerLock(ProcessFence.instance());
    }

    /** Serves a peer from now on, if it has asked for that, and no more what it has given back. By the polling thread. */
    void serve(int peer, FrameHandler handler) throws IOException {
        for (ServedTransfers each : served) {
            if (each.peer() == peer && each.isGivenBack()) {
                stopServing(peer);
                each.end();
                int ignored = each.report(handler);
            }
        }
        serve(peer);
    }

    private synchronized void serve(int peer) throws IOException {
        if (Arrays.stream(served).anyMatch(each -> each.peer() == peer)) {
            return;
        }
        PairFile file;
        try {
            file = attachment.openTransfers(peer);
        } catch (SystemCallException missing) {
            if (missing.errno() == SystemCallException.ENOENT) {
                return;
            }
            throw missing;
        }
        ServedTransfers[] grown = Arrays.copyOf(served, served.length + 1);
        grown[grown.length - 1] = new ServedTransfers(peer, file, regions, membership.bell(peer), newLock());
        served = grown;
    }

    /**
     * Does what can be done at once for all transfers.
     *
     * @param budget bytes after which to stop with each peer
     * @return true if anything was done
     */
    boolean progress(long budget) {
        boolean done = false;
        for (RequestedTransfers each : requested) {
            int outcome = each.progress(budget);
            if (outcome < 0) {
                membership.distrust(each.peer());
            }
            done |= outcome > 0;
        }
        for (ServedTransfers each : served) {
            int outcome = each.progress(budget);
            if (outcome < 0) {
                stopServing(each.peer());
                membership.distrust(each.peer());
            }
            done |= outcome > 0;
        }
        return done;
    }

    /** Files with peers for what this rank asks of them; a racy look. */
    int files() {
        return requested.length;
    }

    /** Bytes that this rank has copied for peers that it serves; a racy look. */
    long copiedForPeers() {
        return Arrays.stream(served).mapToLong(ServedTransfers::copied).sum();
    }

    private synchronized void stopServing(int peer) {
        served = Arrays.stream(served).filter(each -> each.peer() != peer).toArray(ServedTransfers[]::new);
    }

    /**
     * Takes what a peer has left that is gone: bytes of sends that were complete when they lay here, and, if it left in
     * order, requests for regions that it had all bytes of. By the polling thread. Returns how many regions were reported.
     */
    int takeLast(int peer, boolean died, FrameHandler handler) {
        RequestedTransfers transfers = byOwner.get(peer);
        if (transfers != null) {
            transfers.takeLast();
        }
        int told = 0;
        for (ServedTransfers each : served) {
            if (each.peer() == peer) {
                if (!died) {
                    each.takeLast();
                }
                told += each.report(handler);
            }
        }
        return told;
    }

    /** Ends everything with a peer that is gone. */
    void lose(int peer, String reason) {
        stopServing(peer);
        peerMemory.lose(peer);
        RequestedTransfers transfers = byOwner.get(peer);
        if (transfers != null) {
            transfers.lose(reason);
        }
    }

    /** Ends everything, because this rank leaves. */
    void close() {
        for (RequestedTransfers each : requested) {
            each.fail("this rank has left the job");
        }
    }
}
