package org.galerna.messaging;

import java.util.Arrays;
import org.galerna.link.Channel;
import org.jspecify.annotations.Nullable;

/**
 * The {@link Gathering}s of one connection, each of one thread, and how what lies in them is sent: by its thread when one is
 * full, by the polling thread when nothing is added any more.
 */
final class Gatherings {
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
    private volatile Gathering[] all = {};
    private volatile boolean leaving;

    // of the polling thread
    private long looked;

    Gatherings(Channel channel, Credit credit, int longestFrame) {
        this.channel = channel;
        this.credit = credit;
        this.longestFrame = longestFrame;
    }

    /** A new one for the calling thread; null for threads that are best left alone. */
    @Nullable
    Gathering add() {
        if (Thread.currentThread().isVirtual()) {
            return null; // there may be very many
        }
        synchronized (this) {
            Gathering[] before = all;
            if (before.length == MOST || credit.isClosed()) {
                return null;
            }
            Gathering gathering = Gathering.forFrames(longestFrame);
            if (gathering != null) {
                Gathering[] grown = Arrays.copyOf(before, before.length + 1);
                grown[before.length] = gathering;
                all = grown;
            }
            return gathering;
        }
    }

    // ---- by the thread that gathers

    /** Sends what the calling thread has gathered; {@link Outbound#SENT} if there is nothing. */
    int ship(Gathering gathering) {
        gathering.enter();
        try {
            return shipInside(gathering);
        } finally {
            gathering.leave();
        }
    }

    /** As {@link #ship}, for who is inside already. */
    int shipInside(Gathering gathering) {
        int count = gathering.messages();
        if (count == 0) {
            return Outbound.SENT;
        }
        int cost = gathering.cost();
        // what was gathered before this side left is still to be sent
        int granted = credit.take(cost, count, false, leaving);
        if (granted != Credit.GRANTED) {
            return granted == Credit.CLOSED ? Outbound.CLOSED : Outbound.BLOCKED;
        }
        long claim = channel.claim(gathering.length());
        if (claim < 0) {
            credit.giveBack(cost, count);
            return claim == Channel.BACK_PRESSURE ? Outbound.BLOCKED : Outbound.CLOSED;
        }
        gathering.copyTo(channel.memory(), Channel.offset(claim));
        channel.commit(claim, gathering.length());
        gathering.clear();
        return Outbound.SENT;
    }

    /** Whether messages are not to be gathered any more; what was gathered before is still sent. */
    boolean isLeaving() {
        return leaving;
    }

    // ---- by the polling thread

    /**
     * Sends what threads have gathered and do not add to any more.
     *
     * @return whether anything was sent
     */
    boolean shipStale() {
        Gathering[] known = all;
        if (known.length == 0) {
            return false;
        }
        long now = System.nanoTime();
        if (now - looked < LOOK_NANOS) {
            return false;
        }
        looked = now;
        boolean shipped = false;
        for (Gathering each : known) {
            if (each.isStale(now, STALE_NANOS)) {
                shipped |= shipForeign(each);
            } else if (each.isUnused(now, UNUSED_NANOS)) {
                forget(each);
            }
        }
        return shipped;
    }

    private boolean shipForeign(Gathering gathering) {
        synchronized (gathering) {
            if (!gathering.seize(false)) {
                return false; // its thread is at it
            }
            try {
                if (gathering.messages() == 0 || shipInside(gathering) != Outbound.SENT) {
                    return false;
                }
                gathering.rest();
                return true;
            } finally {
                gathering.yieldBack();
            }
        }
    }

    /** Its thread does not send any more, or has ended. */
    private void forget(Gathering gathering) {
        synchronized (gathering) {
            if (!gathering.seize(false)) {
                return;
            }
            try {
                if (gathering.messages() > 0) {
                    return;
                }
                gathering.close();
            } finally {
                gathering.yieldBack();
            }
        }
        synchronized (this) {
            all = Arrays.stream(all).filter(each -> each != gathering).toArray(Gathering[]::new);
        }
    }

    // ---- by any thread

    /** Messages that were sent and have not taken a part of the window yet. */
    long messages() {
        long messages = 0;
        for (Gathering each : all) {
            messages += each.messages();
        }
        return messages;
    }

    /** From here on nothing more is gathered; to be called before the gate is closed. */
    void leave() {
        leaving = true;
    }

    /** Takes {@link #leave} back; to be called when the gate is open again. */
    void stay() {
        leaving = false;
    }

    /**
     * Whether nothing is gathered, and nothing will be until {@link #stay}; after {@link #leave}.
     *
     * <p>Argument: who enters a gathering after it was seized here has passed its light fence after the heavy one, and so
     * reads that this side leaves. Who was inside before is found there.
     */
    boolean isEmpty() {
        for (Gathering each : all) {
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
    long abandon() {
        Gathering[] known;
        synchronized (this) { // none is made after this, for the gate is closed
            known = all;
            all = new Gathering[0];
        }
        long messages = 0;
        for (Gathering each : known) {
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
