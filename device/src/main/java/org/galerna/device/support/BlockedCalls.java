package org.galerna.device.support;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.device.Waited;
import org.galerna.link.Collective;
import org.galerna.link.RankMonitor.Blocked;
import org.galerna.link.counters.RankCounters;
import org.galerna.link.events.FlightEvents;
import org.galerna.memory.EarlyClasses;
import org.jspecify.annotations.Nullable;

/** Which threads of the rank sleep in which call. Written only when a thread goes to sleep. */
public final class BlockedCalls {
    static {
        EarlyClasses.initialize(Call.class); // needed when a thread sleeps for the first time
    }

    private final Map<Thread, Call> waiting = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();
    private final Membership membership;
    private final RankCounters counters;
    private volatile boolean givenUp;

    /** No thread sleeps. */
    public BlockedCalls(Membership membership) {
        this.membership = membership;
        this.counters = membership.counters();
    }

    /** A call that sleeps now and then until it is over. */
    public final class Call {
        /** After so long a call is described in words to whoever looks at the rank from outside. */
        private static final long DESCRIBED_AFTER_NANOS = 50_000_000;

        private final Waited what;
        private final long number;
        private final long since = System.nanoTime();
        private final int entry;
        private final @Nullable Object recorded = FlightEvents.waitBegins();
        private boolean described;
        private long count;
        private volatile long looks;

        private Call(Waited what, long number) {
            this.what = what;
            this.number = number;
            this.entry = counters.enter(what.waitKind(), what.awaitedPeer(), since);
        }

        /** The thread of the call has looked for everything that could end it, and has found nothing. */
        public void lookedInVain() {
            looks = ++count;
            if (!described && System.nanoTime() - since > DESCRIBED_AFTER_NANOS) {
                described = true;
                Collective collective = what.collective();
                String text = collective == null ? what.operation() : collective.describe();
                counters.describe(entry, what.waitKind(), what.awaitedPeer(), since, text);
            }
        }

        /** Whether it is time, as it is ever more rarely, to look for reasons why the call might never end. */
        boolean isLong() {
            return count > 1 && (count & (count - 1)) == 0;
        }

        private Blocked describe(Thread thread) {
            return new Blocked(
                    thread,
                    what.operation(),
                    what.awaitedPeer(),
                    number,
                    looks,
                    System.nanoTime() - since,
                    what.collective());
        }
    }

    /** The calling thread is going to sleep until that is over. */
    public Call enter(Waited what) {
        Call call = new Call(what, numbers.getAndIncrement());
        waiting.put(Thread.currentThread(), call);
        return call;
    }

    /** The call of the calling thread is over. */
    public void leave() {
        Call call = waiting.remove(Thread.currentThread());
        if (call != null) {
            counters.leave(call.entry);
            if (call.recorded != null) {
                Waited what = call.what;
                FlightEvents.waitEnds(
                        call.recorded,
                        membership.rank(),
                        what.awaitedPeer(),
                        what.waitKind(),
                        what::operation,
                        what::collective);
            }
        }
    }

    /** Ends all waiting, now and later. */
    void giveUp() {
        givenUp = true;
    }

    /** To be asked by a thread that has entered, before it goes to sleep. */
    public void failIfGivenUp(Call call) {
        if (givenUp) {
            leave();
            throw new DeviceException(ErrorClass.OTHER, call.what.operation() + " has ended, because the job is over");
        }
    }

    /** The threads that sleep in calls. */
    Set<Thread> threads() {
        return Set.copyOf(waiting.keySet());
    }

    List<Blocked> list() {
        return waiting.entrySet().stream()
                .map(entry -> entry.getValue().describe(entry.getKey()))
                .toList();
    }
}
