package org.galerna.device.matching.engine;

import java.util.function.Supplier;
import org.galerna.device.SharedCondition;
import org.galerna.device.SharedHeap;
import org.galerna.device.support.BlockedCalls;
import org.galerna.device.support.Compensation;
import org.galerna.device.support.Membership;
import org.galerna.link.SharedHeapLink;
import org.galerna.link.wireup.Hosts;
import org.galerna.memory.AsymmetricFence;
import org.galerna.memory.idle.IdleStrategy;
import org.jspecify.annotations.Nullable;

/**
 * Waiting for what other ranks do to the common heap. A look at a condition costs a few nanoseconds, a look for messages
 * ten times that: so messages are polled every {@value #SPINS_PER_POLL} looks, and, once the thread gives its core away
 * between looks, every {@value #YIELDS_PER_POLL}.
 */
public final class MatchingHeap implements SharedHeap {
    private static final int SPINS_PER_POLL = 64;
    private static final int YIELDS_PER_POLL = 4;

    /** Looks before a thread gives its core away, where there are more ranks than cores. */
    private static final int OVERCOMMITTED_SPINS = 20;

    /** Looks of all ranks together after which they sleep; measured on 2 cores with 4, 16 and 64 ranks. */
    private static final int ALL_YIELDS = 160;

    private static final int LEAST_YIELDS = 5;

    /** Operations without waiting after which messages are polled all the same. */
    private static final int ENTRIES_PER_POLL = 64;

    private final Membership membership;
    private final Reachability reachability;
    private final SharedHeapLink link;
    private final Progress progress;
    private final BlockedCalls blocked;
    private final IdleStrategy waiting;
    private int entries; // racy: only says when to poll
    private long moves; // racy: only tells the launcher that something moves

    /**
     * Waiting at the heap.
     *
     * @param link reaches the ranks that share it
     */
    public MatchingHeap(
            Membership membership,
            SharedHeapLink link,
            Hosts hosts,
            Progress progress,
            Reachability reachability,
            BlockedCalls blocked) {
        this.membership = membership;
        this.reachability = reachability;
        this.link = link;
        this.progress = progress;
        this.blocked = blocked;
        this.waiting = waiting(hosts.ranksBeside(membership.rank()), hosts.processorsBeside(membership.rank()));
    }

    /**
     * The more ranks a core has, the sooner they sleep: a scheduler that is fair lets those who only ask for their turn
     * use as much time as those who work, which with 32 ranks on a core has taken milliseconds.
     */
    private static IdleStrategy waiting(int ranks, int processors) {
        return ranks <= processors
                ? IdleStrategy.adaptive(ranks, processors)
                : IdleStrategy.spinThenYield(OVERCOMMITTED_SPINS, Math.max(LEAST_YIELDS, ALL_YIELDS / ranks));
    }

    /** Operations started and waits ended so far; a racy look. */
    public long moves() {
        return moves;
    }

    @Override
    public <T> T meet(Class<T> type, Object key, int parties, Supplier<T> maker) {
        return link.meet(type, key, parties, maker);
    }

    @Override
    public void enter() {
        membership.checkOpen();
        membership.counters().heapOperation();
        moves++;
        if (++entries >= ENTRIES_PER_POLL) {
            entries = 0;
            progress.make();
        }
    }

    @Override
    public void wakeUp(int rank) {
        link.wakeUp(rank);
    }

    @Override
    public AsymmetricFence sleepFence() {
        return link.sleepFence();
    }

    @Override
    public void await(SharedCondition condition) {
        int round = 0;
        int measuredFrom = waiting.unmeasured();
        long since = 0;
        BlockedCalls.@Nullable Call call = null;
        try {
            while (!condition.isDone()) {
                if (round == measuredFrom && since == 0) {
                    since = System.nanoTime();
                }
                if (waiting.pause(round)) {
                    round++;
                    if (round % (round < waiting.spins() ? SPINS_PER_POLL : YIELDS_PER_POLL) == 0) {
                        poll(condition);
                    }
                } else {
                    if (call == null) {
                        call = blocked.enter(condition);
                        condition.announceSleep();
                    }
                    sleep(condition, call);
                }
            }
            if (round > 0) {
                waiting.over(round);
                entries = 0;
            }
        } finally {
            if (call != null) {
                condition.retractSleep();
                blocked.leave();
                moves++;
            }
            if (since != 0) {
                membership.counters().waited(condition.waitKind(), System.nanoTime() - since);
            }
        }
    }

    private void sleep(SharedCondition condition, BlockedCalls.Call call) {
        if (Compensation.isDue()) {
            Compensation.during(() -> {
                while (!condition.isDone()) {
                    sleepOnce(condition, call);
                }
            });
        } else {
            sleepOnce(condition, call);
        }
    }

    private void sleepOnce(SharedCondition condition, BlockedCalls.Call call) {
        progress.sleepOnce(condition, call);
        reachability.failIfInVain(condition);
    }

    private void poll(SharedCondition condition) {
        progress.make();
        reachability.failIfInVain(condition);
    }
}
