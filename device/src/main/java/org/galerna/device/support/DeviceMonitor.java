package org.galerna.device.support;

import java.util.List;
import java.util.function.LongSupplier;
import org.galerna.link.RankMonitor;
import org.jspecify.annotations.Nullable;

/** What the launcher may look at and do, from the moment on at which the rank begins to join the job. */
public final class DeviceMonitor implements RankMonitor {
    private final Membership membership;
    private final BlockedCalls blocked;
    private final Runnable abandon;
    private volatile @Nullable LongSupplier moves;

    /**
     * A rank that begins to join.
     *
     * @param abandon lets the peers know that this rank sends no more, when it has ended without closing its device
     */
    public DeviceMonitor(Membership membership, BlockedCalls blocked, Runnable abandon) {
        this.membership = membership;
        this.blocked = blocked;
        this.abandon = abandon;
    }

    /**
     * The rank has joined.
     *
     * @param count messages sent and received so far
     */
    public void show(LongSupplier count) {
        moves = count;
    }

    @Override
    public int rank() {
        return membership.rank();
    }

    @Override
    public long progress() {
        LongSupplier count = moves;
        return count == null ? 0 : count.getAsLong();
    }

    @Override
    public List<Blocked> blocked() {
        return blocked.list();
    }

    @Override
    public boolean finished() {
        return membership.isClosed();
    }

    @Override
    public void giveUp() {
        blocked.giveUp();
    }

    @Override
    public void abandon() {
        abandon.run();
    }
}
