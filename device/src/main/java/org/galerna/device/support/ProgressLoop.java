package org.galerna.device.support;

import org.galerna.device.Compound;
import org.galerna.device.Device;
import org.galerna.device.Request;
import org.galerna.device.Waited;
import org.galerna.memory.idle.IdleStrategy;
import org.jspecify.annotations.Nullable;

/**
 * Making progress and waiting for it: a thread that waits looks, spins, gives its core away, and at last sleeps. A device says
 * how it looks and how it sleeps. Any thread of the rank may call any method.
 *
 * <p>No lost wake-up: a thread {@linkplain #announceSleep announces} that it is going to sleep, then looks once more for
 * certain. Whatever comes later finds the announcement and ends the sleep, and so does another thread that completes what this
 * one waits for.
 */
public abstract class ProgressLoop {
    private final Membership membership;
    private final IdleStrategy waiting;
    private final BlockedCalls blocked;
    private final Compounds compounds = new Compounds();

    /** Nobody waits. */
    protected ProgressLoop(Membership membership, IdleStrategy waiting, BlockedCalls blocked) {
        this.membership = membership;
        this.waiting = waiting;
        this.blocked = blocked;
    }

    /** Which ranks are there. */
    public final Membership membership() {
        return membership;
    }

    /**
     * Looks once for anything to do, without blocking; true if there was something. Ends with {@link #advanceCompounds}, which
     * looks at what has been completed before.
     */
    public abstract boolean make();

    /** As {@link #make}, even if another thread looks at this moment: it may have missed what has just come. */
    protected abstract boolean makeForCertain();

    /** From now on whatever comes ends {@link #sleep}. */
    protected abstract void announceSleep();

    /** Takes {@link #announceSleep} back. */
    protected abstract void retractSleep();

    /** Sleeps until something may have happened, or a while; may return early for no reason. */
    protected abstract void sleep();

    /**
     * Has a peer look at what has come for it, whatever calls it makes or does not make. Returns at once. Nothing need be done
     * where what a rank sends is looked at in any case.
     */
    protected void rouse(int peer) {
        // for devices whose peers look only in calls
    }

    /** Starts an operation that all progress moves. */
    public final Request start(Compound compound) {
        CompoundRequest request = new CompoundRequest(this, compound);
        compounds.start(request);
        return request;
    }

    /** Whether compound operations are under way; a cheap look. */
    protected final boolean hasCompounds() {
        return compounds.areUnderWay();
    }

    /** Moves the compound operations; the number of those that have got further. */
    protected final int advanceCompounds() {
        return compounds.areUnderWay() ? compounds.advance() : 0;
    }

    /** Blocks until it is over. */
    public void await(Waited what) {
        int round = 0;
        int measuredFrom = waiting.unmeasured();
        long since = 0;
        BlockedCalls.@Nullable Call call = null;
        try {
            while (!what.isDone()) {
                if (make()) {
                    if (round > 0) {
                        waiting.over(round);
                        round = 0;
                    }
                    continue;
                }
                if (round == measuredFrom && since == 0) {
                    since = System.nanoTime();
                }
                if (waiting.pause(round)) {
                    round++;
                } else {
                    if (call == null) {
                        call = blocked.enter(what);
                    }
                    sleep(what, call);
                }
            }
        } finally {
            if (call != null) {
                blocked.leave();
            }
            if (since != 0) {
                membership.counters().waited(what.waitKind(), System.nanoTime() - since);
            }
        }
    }

    /**
     * Blocks until one of the requests is done; null elements are skipped.
     *
     * @return as {@link Device#awaitAny}
     */
    public final int awaitAny(@Nullable Request[] requests) {
        AnyOf any = new AnyOf(requests);
        await(any);
        return any.index();
    }

    /**
     * Sleeps until something happens; for a thread that has entered {@link BlockedCalls}. The thread of a pool sleeps until
     * the call is over.
     */
    protected final void sleep(Waited what, BlockedCalls.Call call) {
        if (Compensation.isDue()) {
            Compensation.during(() -> {
                while (!what.isDone()) {
                    sleepOnce(what, call);
                }
            });
        } else {
            sleepOnce(what, call);
        }
    }

    /** Sleeps until something happens, whatever kind of thread it is; for one that has entered {@link BlockedCalls}. */
    public final void sleepOnce(Waited what, BlockedCalls.Call call) {
        blocked.failIfGivenUp(call);
        boolean lonely = !membership.isComplete();
        boolean isLong = call.isLong();
        if (lonely) {
            what.failIfAlone();
        }
        if (isLong) {
            what.failIfOutOfStep();
        }
        if ((lonely || isLong) && what.isDone()) {
            return;
        }
        what.aboutToSleep();
        announceSleep();
        if (makeForCertain() || what.isDone()) {
            retractSleep();
        } else {
            call.lookedInVain();
            sleep();
        }
    }
}
