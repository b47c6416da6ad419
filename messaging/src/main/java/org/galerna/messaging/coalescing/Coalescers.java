package org.galerna.messaging.coalescing;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.galerna.link.Channel;
import org.galerna.messaging.flow.Credit;
import org.galerna.messaging.flow.SendResult;
import org.jspecify.annotations.Nullable;

/**
 * The {@link Coalescer}s of one connection, each of one thread, and how what lies in them is sent: by its thread when one is
 * full, by the polling thread when nothing is added any more.
 */
public final class Coalescers {
    /** Threads that gather messages for one connection, at most. */
    private static final int MOST = 64;

    /** How long gathered messages lie that nobody adds to. */
    private static final long STALE_NANOS = 10_000;

    /** Time between two looks of the polling thread: each takes a line of the cache away from a thread that gathers. */
    private static final long LOOK_NANOS = 5_000;

    private static final long UNUSED_NANOS = 1_000_000_000;

    private final Channel channel;
    private final Credit credit;
    private final int longestFrame;
    private volatile Coalescer[] all = {};
    private final AtomicLong counted = new AtomicLong(System.nanoTime() - Integer.MAX_VALUE);
    private volatile boolean leaving;

    // of the polling thread
    private long looked;

    /** Nothing is gathered yet. */
    public Coalescers(Channel channel, Credit credit, int longestFrame) {
        this.channel = channel;
        this.credit = credit;
        this.longestFrame = longestFrame;
    }

    /** A new one for the calling thread; null for threads that are best left alone. */
    public @Nullable Coalescer add() {
        if (Thread.currentThread().isVirtual()) {
            return null; // there may be very many
        }
        synchronized (this) {
            Coalescer[] before = all;
            if (before.length == MOST || credit.isClosed()) {
                return null;
            }
            Coalescer coalescer = Coalescer.forFrames(longestFrame);
            if (coalescer != null) {
                Coalescer[] grown = Arrays.copyOf(before, before.length + 1);
                grown[before.length] = coalescer;
                all = grown;
            }
            return coalescer;
        }
    }

    // ---- by a thread that sends

    /** Notes the time at which one of the threads has sent some messages more. Returns that of the time before. */
    long count(long now) {
        return counted.getAndSet(now);
    }

    /** Sends what the calling thread has gathered; {@link SendResult#SENT} if there is nothing. */
    public int ship(Coalescer coalescer) {
        coalescer.enter();
        try {
            return shipInside(coalescer);
        } finally {
            coalescer.leave();
        }
    }

    /** As {@link #ship}, for the owner when it is inside already. */
    public int shipInside(Coalescer coalescer) {
        int count = coalescer.messages();
        if (count == 0) {
            return SendResult.SENT;
        }
        int cost = coalescer.cost();
        // what was gathered before this side left is still to be sent
        int granted = credit.take(cost, count, false, leaving);
        if (granted != Credit.GRANTED) {
            return granted == Credit.CLOSED ? SendResult.CLOSED : SendResult.BLOCKED;
        }
        long claim = channel.claim(coalescer.length());
        if (claim < 0) {
            credit.giveBack(cost, count);
            return claim == Channel.BACK_PRESSURE ? SendResult.BLOCKED : SendResult.CLOSED;
        }
        coalescer.copyTo(channel.memory(), Channel.offset(claim));
        channel.commit(claim, coalescer.length());
        coalescer.clear();
        return SendResult.SENT;
    }

    /** Whether messages are not to be gathered any more; what was gathered before is still sent. */
    public boolean isLeaving() {
        return leaving;
    }

    // ---- by the polling thread

    /**
     * Sends what threads have gathered and do not add to any more.
     *
     * @return whether anything was sent
     */
    public boolean shipStale() {
        Coalescer[] known = all;
        if (known.length == 0) {
            return false;
        }
        long now = System.nanoTime();
        if (now - looked < LOOK_NANOS) {
            return false;
        }
        looked = now;
        boolean shipped = false;
        for (Coalescer each : known) {
            if (each.isStale(now, STALE_NANOS)) {
                shipped |= shipForeign(each);
            } else if (each.isUnused(now, UNUSED_NANOS)) {
                forget(each);
            }
        }
        return shipped;
    }

    private boolean shipForeign(Coalescer coalescer) {
        synchronized (coalescer) {
            if (!coalescer.seize(false)) {
                return false; // its thread is at it
            }
            try {
                if (coalescer.messages() == 0 || shipInside(coalescer) != SendResult.SENT) {
                    return false;
                }
                coalescer.rest();
                return true;
            } finally {
                coalescer.yieldBack();
            }
        }
    }

    /** Its thread does not send any more, or has ended. */
    private void forget(Coalescer coalescer) {
        synchronized (coalescer) {
            if (!coalescer.seize(false)) {
                return;
            }
            try {
                if (coalescer.messages() > 0) {
                    return;
                }
                coalescer.close();
            } finally {
                coalescer.yieldBack();
            }
        }
        synchronized (this) {
            all = Arrays.stream(all).filter(each -> each != coalescer).toArray(Coalescer[]::new);
        }
    }

    // ---- by any thread

    /** Messages that were sent and have not taken a part of the window yet. */
    public long messages() {
        long messages = 0;
        for (Coalescer each : all) {
            messages += each.messages();
        }
        return messages;
    }

    /** From here on nothing more is gathered; to be called before the gate is closed. */
    public void leave() {
        leaving = true;
    }

    /** Takes {@link #leave} back; to be called when the gate is open again. */
    public void stay() {
        leaving = false;
    }

    /**
     * Whether nothing is gathered, and nothing will be until {@link #stay}; after {@link #leave}.
     *
     * <p>Argument: an owner that enters after the seizure here passes its light fence after the heavy one. So it reads that
     * this side leaves. An owner that was inside before is found there.
     */
    public boolean isEmpty() {
        for (Coalescer each : all) {
            synchronized (each) {
                if (!each.seize(false)) {
                    return false;
                }
                boolean empty = each.messages() == 0;
                each.yieldBack();
                if (!empty) {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * Gives up what was gathered, and gathers nothing any more; to be called when the gate is closed.
     *
     * @return number of messages that are not sent
     */
    public long abandon() {
        Coalescer[] known;
        synchronized (this) { // none is made after this, for the gate is closed
            known = all;
            all = new Coalescer[0];
        }
        long messages = 0;
        for (Coalescer each : known) {
            synchronized (each) {
                boolean ignored = each.seize(true);
                messages += each.messages();
                each.close();
                each.yieldBack();
            }
        }
        return messages;
    }
}
