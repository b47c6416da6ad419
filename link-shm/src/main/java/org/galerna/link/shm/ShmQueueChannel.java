package org.galerna.link.shm;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.galerna.link.shm.board.FutexEvent;
import org.galerna.link.shm.file.ControlPageLayout;
import org.galerna.link.shm.file.QueueFile;
import org.galerna.link.support.QueueChannel;
import org.galerna.nativeaccess.memory.RawMemory;
import org.jspecify.annotations.Nullable;

/** Frames to another process through its queue. */
final class ShmQueueChannel extends QueueChannel {
    private final ShmLink link;
    private final int rank;
    private final int peer;
    private final MemorySegment board;
    private final long state;
    private final QueueFile queue;
    private final FutexEvent bell;
    private long claims; // begun and ended; by whoever claims
    private @Nullable ShmChannel next; // the same
    private volatile boolean closed;

    ShmQueueChannel(ShmLink link, int peer, QueueFile queue, FutexEvent bell) {
        super(link.rank(), queue.ring(), link.traits().maximumFrame());
        this.link = link;
        this.rank = link.rank();
        this.peer = peer;
        this.board = link.board().memory();
        this.state = ControlPageLayout.entry(peer) + ControlPageLayout.STATE;
        this.queue = queue;
        this.bell = bell;
        this.claims = queue.claimsOf(rank);
    }

    @Override
    public int peer() {
        return peer;
    }

    @Override
    protected boolean isGone() {
        return closed || RawMemory.getIntOpaque(board, state) != ControlPageLayout.ATTACHED;
    }

    /**
     * Either this sees that the rank has stopped, or {@link ShmLink#stop} sees that a claim is open: each writes its own word
     * before it reads the other one, with a full fence in between.
     */
    @Override
    protected boolean begin() {
        queue.setClaims(rank, ++claims);
        VarHandle.fullFence();
        if (link.isStopped()) {
            end();
            return false;
        }
        return true;
    }

    @Override
    protected void end() {
        queue.setClaims(rank, ++claims);
    }

    /** Whether a claim of this rank is not committed yet. Any thread. */
    boolean hasOpenClaim() {
        return QueueFile.isOpen(queue.claimsOf(rank));
    }

    @Override
    protected int openRing() {
        if (!queue.reserve(rank)) {
            if (queue.limit() > 0) {
                link.board().raise(peer); // may take one back from a pair that has fallen silent
                bell.ring();
            }
            return REFUSED;
        }
        ShmLink.MadeRing ring = link.openReservedRing(peer);
        if (ring == null) {
            queue.giveBack();
            return REFUSED;
        }
        next = ring.channel();
        return ring.number();
    }

    @Override
    protected void useRing() {
        ShmChannel ring = next;
        if (ring != null) {
            link.use(ring, this);
        }
    }

    @Override
    public void flush() {
        bell.ring();
    }

    @Override
    public void close() {
        closed = true;
        link.forget(this);
    }
}
