package org.galerna.device;

import java.util.List;
import org.galerna.link.Link;
import org.galerna.link.RankMonitor;
import org.jspecify.annotations.Nullable;

/** What the launcher may look at and do, from the moment on at which the rank begins to join the job. */
final class DeviceMonitor implements RankMonitor {
    private final int rank;
    private final Link link;
    private final BlockedCalls blocked;
    private volatile @Nullable MatchingDevice device;

    DeviceMonitor(int rank, Link link, BlockedCalls blocked) {
        this.rank = rank;
        this.link = link;
        this.blocked = blocked;
    }

    /** The rank has joined. */
    void show(MatchingDevice joined) {
        device = joined;
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public long progress() {
        MatchingDevice joined = device;
        return joined == null ? 0 : joined.moves();
    }

    @Override
    public List<Blocked> blocked() {
        return blocked.list();
    }

    @Override
    public boolean finished() {
        MatchingDevice joined = device;
        return joined != null && joined.isClosed();
    }

    @Override
    public void giveUp() {
        blocked.giveUp();
    }

    @Override
    public void abandon() {
        link.stop();
    }
}
