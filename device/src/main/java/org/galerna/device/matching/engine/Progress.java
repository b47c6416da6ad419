package org.galerna.device.matching.engine;

import org.galerna.device.Device;
import org.galerna.device.Waited;
import org.galerna.device.matching.request.ReceiveRequest;
import org.galerna.device.matching.sending.Backlogs;
import org.galerna.device.matching.sending.Coalescer;
import org.galerna.device.matching.sending.Peers;
import org.galerna.device.matching.sending.Rounds;
import org.galerna.device.support.BlockedCalls;
import org.galerna.device.support.Membership;
import org.galerna.device.support.ProgressLoop;
import org.galerna.link.Link;
import org.galerna.link.LinkWaiter;
import org.galerna.link.Rma;
import org.galerna.link.wireup.Hosts;
import org.galerna.memory.OwnerLock;
import org.galerna.memory.idle.AdaptiveBackoff;
import org.galerna.memory.idle.IdleStrategy;
import org.galerna.memory.idle.ReplyPattern;
import org.jspecify.annotations.Nullable;

/**
 * Making progress over a link. A thread that waits tries for the match lock; the one that gets it polls for all, and what it
 * completes for others it makes visible by their requests. Large copies and the backlogs run outside the match lock.
 *
 * <p>No lost wake-up: the last look before the sleep is under the lock itself, so that it sees every frame that the lock's
 * previous holder may have missed.
 */
public final class Progress extends ProgressLoop {
    /** Frames that one look takes from one peer at most. */
    private static final int POLL_LIMIT = 64;

    /**
     * A message of so many bytes is copied for longer than its receiver needs to get ready, so that lines fetched ahead always
     * gain time. Those of shorter ones do where nobody looks at them meanwhile, that is where messages go to and fro.
     */
    private static final int MANY_LINES = 1536;

    private static final int NOBODY = -1;

    private static final long SLEEP_NANOS = 100_000_000;

    /** With more ranks than so many for each processor they sleep longer, or their looks alone would take the processors. */
    private static final int CROWD = 16;

    private static final int LONGEST_SLEEPS = 30;

    /** First and longest sleep of a thread that waits for room, over a link that does not tell. */
    private static final long SLEEP_WITH_BACKLOG_NANOS = 100_000;

    private static final long LONGEST_SLEEP_WITH_BACKLOG_NANOS = 1_000_000;

    private final Link link;
    private final Rma rma;
    private final LinkWaiter waiter;
    private final OwnerLock matchLock;
    private final Matching matching;
    private final Peers peers;
    private final Backlogs backlogs;
    private final @Nullable Coalescer gatherer;
    private final IdleStrategy waiting;
    private final long longestSleep;
    private final BlockedCalls blocked;
    private final AdaptiveBackoff backoff = new AdaptiveBackoff();
    private final ReplyPattern replies = new ReplyPattern();
    private final Rounds rounds;
    private int sentTo = NOBODY; // a number, as a reference costs the collector's barrier with every send
    private boolean sentMany;

    public Progress(
            Membership membership,
            Link link,
            Hosts hosts,
            OwnerLock matchLock,
            Matching matching,
            Peers peers,
            Backlogs backlogs,
            Rounds rounds,
            @Nullable Coalescer gatherer,
            BlockedCalls blocked) {
        this(
                membership,
                link,
                IdleStrategy.adaptive(hosts.ranksBeside(membership.rank()), hosts.processorsBeside(membership.rank())),
                matchLock,
                matching,
                peers,
                backlogs,
                rounds,
                gatherer,
                blocked,
                longestSleep(hosts, membership.rank()));
    }

    private Progress(
            Membership membership,
            Link link,
            IdleStrategy waiting,
            OwnerLock matchLock,
            Matching matching,
            Peers peers,
            Backlogs backlogs,
            Rounds rounds,
            @Nullable Coalescer gatherer,
            BlockedCalls blocked,
            long longestSleep) {
        super(membership, waiting, blocked);
        this.longestSleep = longestSleep;
        this.link = link;
        this.rma = link.rma();
        this.waiter = link.waiter();
        this.matchLock = matchLock;
        this.matching = matching;
        this.peers = peers;
        this.backlogs = backlogs;
        this.rounds = rounds;
        this.gatherer = gatherer;
        this.waiting = waiting;
        this.blocked = blocked;
    }

    /** A message of so many bytes has gone to this rank; a racy note for the next wait. */
    public void sentTo(int peer, long length) {
        sentTo = peer;
        sentMany = length >= MANY_LINES;
    }

    @Override
    public boolean make() {
        return afterPoll(poll(POLL_LIMIT));
    }

    private int poll(int limit) {
        rounds.next();
        if (gatherer != null) {
            gatherer.flush();
        }
        if (!matchLock.tryLock()) {
            return 0;
        }
        try {
            return link.poll(matching, limit);
        } finally {
            matchLock.unlock();
        }
    }

    /**
     * As {@link #make}, for a blocking receive. The frame that ends it is usually the only one that is there, and then its
     * thread goes on at once: further polling and other work are deferred to its next wait. Only so often in a row, since its
     * waits may always be short.
     */
    private boolean makeForReceive(Waited receive, int limit) {
        int done = poll(limit);
        if (done > 0 && receive.isDone() && !matchLock.isShared() && replies.mayHurry()) {
            return true;
        }
        replies.rest();
        return afterPoll(done);
    }

    private boolean afterPoll(int handled) {
        int done = handled;
        if (matching.rendezvous().isPending()) {
            done += runTransfers();
        }
        if (!backlogs.areEmpty()) {
            done += backlogs.flush();
        }
        if (rma.assist()) {
            done++;
        }
        if (hasCompounds()) {
            done += advanceCompounds(); // last: it looks at what all of the above has completed
            if (gatherer != null) {
                gatherer.flush(); // who made this progress may not come again for long
            }
        }
        if (done > 0 && matchLock.isShared()) {
            waiter.wakeUp(); // what was done may be what another thread sleeps for
        }
        return done > 0;
    }

    private int runTransfers() {
        int done = handOver();
        ReceiveRequest request;
        while ((request = nextTransfer()) != null) {
            fetch(request);
            done++;
        }
        return done;
    }

    private int handOver() {
        matchLock.lock();
        try {
            return matching.rendezvous().handOver();
        } finally {
            matchLock.unlock();
        }
    }

    private @Nullable ReceiveRequest nextTransfer() {
        matchLock.lock();
        try {
            return matching.rendezvous().next();
        } finally {
            matchLock.unlock();
        }
    }

    /** Fetches an announced message from the sender's memory. */
    private void fetch(ReceiveRequest request) {
        request.fetch();
    }

    @Override
    public void await(Waited what) {
        await(what, false);
    }

    /** As {@link #await}, for a receive that nothing else is awaited with. */
    public void awaitReceive(Waited receive) {
        await(receive, true);
    }

    private void await(Waited what, boolean blockingReceive) {
        int round = 0;
        int measuredFrom = waiting.unmeasured();
        long since = 0;
        int limit = replies.isEarly() ? POLL_LIMIT : 1;
        BlockedCalls.@Nullable Call call = null;
        // for the first frame alone, as others of the message follow at once; not where somebody else may need the core
        boolean backsOff = blockingReceive && waiting.isPatient();
        try {
            if (backsOff && !what.isDone() && replies.skipsFirstLook()) {
                prepare(); // that look would take the line of the answer out of the cache of the peer, which has just
                // prepared it
                backoff.pass();
                round = 1;
            }
            while (!what.isDone()) {
                if (blockingReceive ? makeForReceive(what, limit) : make()) {
                    replies.found(round == 0, call != null);
                    limit = POLL_LIMIT;
                    if (round > 0) {
                        if (backsOff) {
                            backoff.over(round - 1);
                        }
                        waiting.over(round);
                        round = 0;
                    }
                    backsOff = false;
                    continue;
                }
                if (round == measuredFrom && since == 0) {
                    since = System.nanoTime();
                }
                if (waiting.pause(round)) {
                    if (round++ == 0) {
                        if (sentMany || replies.isLate()) {
                            prepare();
                        }
                        if (backsOff) {
                            backoff.pass();
                        }
                    }
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
                membership().counters().waited(what.waitKind(), System.nanoTime() - since);
            }
        }
    }

    private void prepare() {
        int peer = sentTo; // racy: who did not send finds that out by the peer's lock
        if (peer != NOBODY) {
            sentTo = NOBODY;
            peers.of(peer).prepare();
        }
    }

    @Override
    protected boolean makeForCertain() {
        int done;
        matchLock.lock();
        try {
            done = link.poll(matching, POLL_LIMIT);
        } finally {
            matchLock.unlock();
        }
        return afterPoll(done);
    }

    @Override
    protected void announceSleep() {
        waiter.prepare();
    }

    @Override
    protected void retractSleep() {
        waiter.cancel();
    }

    @Override
    protected void sleep() {
        waiter.await(sleepNanos());
    }

    @Override
    protected void rouse(int peer) {
        if (peer != Device.ANY_SOURCE
                && peer != membership().rank()
                && !membership().isClosed()) {
            link.via(peer).rouse(peer);
        }
    }

    private static long longestSleep(Hosts hosts, int rank) {
        int ranksOfProcessor = hosts.ranksBeside(rank) / Math.max(1, hosts.processorsBeside(rank));
        return SLEEP_NANOS * Math.clamp(ranksOfProcessor / CROWD, 1, LONGEST_SLEEPS);
    }

    /** The longest that a thread sleeps until it looks by itself whether the job has been given up. */
    long longestSleep() {
        return longestSleep;
    }

    private long sleepNanos() {
        if (backlogs.areEmpty()) {
            return longestSleep;
        }
        return waiter.wakesForRoom()
                ? backlogs.nextSleep(LONGEST_SLEEP_WITH_BACKLOG_NANOS, longestSleep)
                : backlogs.nextSleep(SLEEP_WITH_BACKLOG_NANOS, LONGEST_SLEEP_WITH_BACKLOG_NANOS);
    }

    /** Does what there is to do, or sleeps until there may be something, for so long at most; for the {@code Attendant}. */
    void attend(long nanos) {
        if (!make()) {
            announceSleep();
            if (makeForCertain()) {
                retractSleep();
            } else {
                waiter.await(Math.min(nanos, sleepNanos()));
            }
        }
    }

    /** Wakes all threads that sleep here. */
    void wakeUp() {
        waiter.wakeUp();
    }
}
