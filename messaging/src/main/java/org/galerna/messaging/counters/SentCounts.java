package org.galerna.messaging.counters;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Messages of each type that a node has sent. A platform thread counts for itself, which costs it an addition; virtual threads, of
 * which there may be very many, share a sum. Any thread.
 */
public final class SentCounts {
    private static final VarHandle MESSAGES;
    private static final VarHandle BYTES;
    private static final int FIRST_SWEEP = 256;

    static {
        try {
            MESSAGES = MethodHandles.lookup().findVarHandle(Tally.class, "messages", long.class);
            BYTES = MethodHandles.lookup().findVarHandle(Tally.class, "bytes", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /** What one thread has sent of one type. Written by that thread. */
    public static final class Tally {
        private final WeakReference<Thread> thread;
        private long messages;
        private long bytes;

        private Tally(Thread thread) {
            this.thread = new WeakReference<>(thread);
        }

        /** Counts a message. */
        public void add(long length) {
            MESSAGES.setOpaque(this, messages + 1);
            BYTES.setOpaque(this, bytes + length);
        }

        /** What it has counted is there for all to see, and will not grow. */
        private boolean isOver() {
            Thread owner = thread.get();
            return owner == null || !owner.isAlive();
        }

        private Sum sum() {
            return new Sum((long) MESSAGES.getOpaque(this), (long) BYTES.getOpaque(this));
        }
    }

    private record Key(long thread, int type) {}

    private record Shared(LongAdder messages, LongAdder bytes) {}

    /**
     * What was sent of a type.
     *
     * @param bytes with headers and padding
     */
    public record Sum(long messages, long bytes) {
        private Sum plus(Sum other) {
            return new Sum(messages + other.messages, bytes + other.bytes);
        }
    }

    private final Map<Integer, Shared> shared = new ConcurrentHashMap<>();

    // guarded by this
    private final Map<Key, Tally> tallies = new HashMap<>();
    private final Map<Integer, Sum> before = new HashMap<>(); // of threads that have ended
    private int nextSweep = FIRST_SWEEP;

    /** Nothing was sent yet. */
    public SentCounts() {}

    /** What the calling thread, a platform thread, counts messages of a type in. */
    public synchronized Tally tally(int type) {
        Thread thread = Thread.currentThread();
        Key key = new Key(thread.threadId(), type);
        Tally known = tallies.get(key);
        if (known == null) {
            sweep();
            known = new Tally(thread);
            tallies.put(key, known);
        }
        return known;
    }

    private void sweep() {
        if (tallies.size() < nextSweep) {
            return;
        }
        Iterator<Map.Entry<Key, Tally>> all = tallies.entrySet().iterator();
        while (all.hasNext()) {
            Map.Entry<Key, Tally> each = all.next();
            if (each.getValue().isOver()) {
                before.merge(each.getKey().type, each.getValue().sum(), Sum::plus);
                all.remove();
            }
        }
        nextSweep = Math.max(FIRST_SWEEP, 2 * tallies.size());
    }

    /** Counts a message that a virtual thread has sent. */
    public void add(int type, long length) {
        Shared sum = shared.computeIfAbsent(type, _ -> new Shared(new LongAdder(), new LongAdder()));
        sum.messages.increment();
        sum.bytes.add(length);
    }

    /** What was sent so far, by the numbers of the types. */
    public synchronized Map<Integer, Sum> sums() {
        Map<Integer, Sum> sums = new TreeMap<>(before);
        tallies.forEach((key, tally) -> sums.merge(key.type, tally.sum(), Sum::plus));
        shared.forEach((type, sum) -> sums.merge(type, new Sum(sum.messages.sum(), sum.bytes.sum()), Sum::plus));
        return sums;
    }
}
