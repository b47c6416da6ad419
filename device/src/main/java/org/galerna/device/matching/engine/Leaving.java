package org.galerna.device.matching.engine;

import java.util.List;
import org.galerna.device.Device;
import org.galerna.device.Waited;
import org.galerna.device.matching.request.SendRequest;
import org.galerna.device.matching.sending.Backlogs;
import org.galerna.device.matching.sending.Coalescer;
import org.galerna.device.support.BlockedCalls;
import org.galerna.device.support.Compensation;
import org.galerna.device.support.Membership;
import org.galerna.link.Link;
import org.galerna.link.counters.WaitKind;
import org.galerna.memory.OwnerLock;
import org.jspecify.annotations.Nullable;

/** How a rank leaves the others: what was accepted for sending leaves before it does. */
public final class Leaving {
    private final Link link;
    private final Membership membership;
    private final PendingSends sends;
    private final OwnerLock matchLock;
    private final Progress progress;
    private final BlockedCalls blocked;

    public Leaving(
            Link link,
            Membership membership,
            PendingSends sends,
            OwnerLock matchLock,
            Progress progress,
            BlockedCalls blocked) {
        this.link = link;
        this.membership = membership;
        this.sends = sends;
        this.matchLock = matchLock;
        this.progress = progress;
        this.blocked = blocked;
    }

    public void leave(Backlogs backlogs, Attendant attendant, @Nullable Coalescer gatherer) {
        matchLock.lock();
        try {
            sends.leave();
        } finally {
            matchLock.unlock();
        }
        progress.await(new LastSends(backlogs, this::announced));
        membership.close();
        attendant.close();
        if (gatherer != null) {
            gatherer.close();
        }
        link.stop();
        try {
            Compensation.during(this::drain);
        } finally {
            link.close();
        }
    }

    private List<SendRequest> announced() {
        matchLock.lock();
        try {
            return sends.announced();
        } finally {
            matchLock.unlock();
        }
    }

    /**
     * Waits until what was sent does not need this rank any more, or the peer is gone. There is no other end: what a slow
     * peer has not read yet may still be here, and would go down with this process.
     */
    private void drain() {
        if (link.drain(0)) {
            return;
        }
        Waited leaving = new Waited() {
            @Override
            public boolean isDone() {
                return false; // the link knows
            }

            @Override
            public WaitKind waitKind() {
                return WaitKind.LEAVE;
            }

            @Override
            public String operation() {
                return "finalize, with messages that their receivers have not taken";
            }

            @Override
            public int awaitedPeer() {
                return Device.ANY_SOURCE;
            }
        };
        BlockedCalls.Call call = blocked.enter(leaving);
        try {
            while (!link.drain(progress.longestSleep())) {
                call.lookedInVain();
                blocked.failIfGivenUp(call);
            }
        } finally {
            blocked.leave();
        }
    }
}
