package org.galerna.link.threads;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.link.FrameHandler;
import org.galerna.link.support.QueueFrames;
import org.galerna.link.support.RingWishes;
import org.galerna.memory.RecordRing;

/**
 * What comes to a rank of a larger job: the queue that all may write to, and the rings of busy pairs, which are limited: see {@link
 * org.galerna.link.support.PrivateRings}. A sender that is asked to release one does when it makes progress the next time.
 */
final class ReceiveQueue implements QueueFrames.Rings {
    private static final int RING_NUMBERS = 0x3fffffff;

    private final ThreadsLink link;
    private final RecordRing ring;
    private final QueueFrames frames;
    private final int limit;
    private final long bytes;
    private final AtomicInteger rings = new AtomicInteger(); // reserved
    private final AtomicInteger numbers = new AtomicInteger();
    private final Map<Integer, Inbound> announced = new ConcurrentHashMap<>();
    private final Queue<Integer> askers = new ConcurrentLinkedQueue<>(); // of rings that there was no room for
    private final RingWishes wishes;
    private final Queue<ThreadsChannel> releases = new ConcurrentLinkedQueue<>(); // of rings from this rank to others

    /**
     * The queue of a rank.
     *
     * @param ranks size of the job
     * @param limit rings of busy pairs at once
     */
    ReceiveQueue(ThreadsLink link, RingSizes sizes, int ranks, int limit) {
        this.link = link;
        this.ring = sizes.newRing();
        this.bytes = sizes.bytes();
        this.frames = new QueueFrames(ring, ranks, this);
        this.limit = limit;
        this.wishes = new RingWishes(limit);
    }

    RecordRing ring() {
        return ring;
    }

    /** Size of the queue. */
    long bytes() {
        return bytes;
    }

    /** Rings of busy pairs that there may be at once. */
    int limit() {
        return limit;
    }

    // ---- senders, any thread

    /** Reserves room for a ring of a sender; if there is none, one will be looked for. */
    boolean reserve(int sender) {
        if (rings.incrementAndGet() <= limit) {
            return true;
        }
        rings.decrementAndGet();
        if (limit > 0) {
            askers.add(sender);
            link.notice();
        }
        return false;
    }

    /** A ring that has been reserved is not used any more. */
    void giveBack() {
        rings.decrementAndGet();
    }

    /** Keeps a ring until the record that names it has come through the queue. Returns its number. */
    int announce(Inbound inbound) {
        int number = numbers.getAndIncrement() & RING_NUMBERS;
        announced.put(number, inbound);
        return number;
    }

    // ---- the polling thread

    int poll(FrameHandler handler, int most) {
        return frames.poll(handler, most);
    }

    int end() {
        return frames.end();
    }

    boolean hasPassed(int end) {
        return frames.hasPassed(end);
    }

    @Override
    public void begin(int peer, int number) {
        Inbound inbound = announced.remove(number);
        if (inbound != null) {
            link.addInbound(inbound);
        }
    }

    @Override
    public boolean resume(int peer, FrameHandler handler) {
        int ignored = link.endRings(peer, handler);
        return true;
    }

    /** A receiver wants a ring of this rank back. Any thread. */
    void askForRelease(ThreadsChannel channel) {
        releases.add(channel);
    }

    /** Serves what others want of this rank's rings: those that lead here, and those that lead from here. */
    void serveRequests(FrameHandler handler) {
        ThreadsChannel asked;
        while ((asked = releases.poll()) != null) {
            if (link.isCurrent(asked)) {
                handler.onReleaseAsked(asked.peer());
            }
        }
        Integer asker;
        while ((asker = askers.poll()) != null) {
            for (Inbound silent : wishes.review(asker, link.inbound(), Inbound::frames)) {
                ThreadsChannel channel = silent.channel();
                channel.source().askForRelease(channel);
            }
        }
    }
}
