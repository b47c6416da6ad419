package org.galerna.sockets;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** What has become of the connections of this process; any thread may ask. */
final class Counters implements SocketCounters {
    static final Counters INSTANCE = new Counters();

    private final LongAdder connectedFast = new LongAdder();
    private final LongAdder acceptedFast = new LongAdder();
    private final Map<String, LongAdder> fast = new ConcurrentHashMap<>(); // by what they go through
    private final LongAdder bytes = new LongAdder();
    private final AtomicInteger open = new AtomicInteger();
    private final Map<PlainReason, LongAdder> plain = new ConcurrentHashMap<>();

    private Counters() {}

    /** Takes a place among the fast connections; false if there is none left. */
    boolean open(int most) {
        int now;
        do {
            now = open.get();
            if (now >= most) {
                return false;
            }
        } while (!open.compareAndSet(now, now + 1));
        return true;
    }

    void connected(String pipe) {
        connectedFast.increment();
        fast.computeIfAbsent(pipe, none -> new LongAdder()).increment();
    }

    void accepted(String pipe) {
        acceptedFast.increment();
        fast.computeIfAbsent(pipe, none -> new LongAdder()).increment();
    }

    /** A place is free again. */
    void left() {
        open.decrementAndGet();
    }

    void closed(long bytesWritten) {
        bytes.add(bytesWritten);
    }

    void plain(PlainReason reason) {
        plain.computeIfAbsent(reason, none -> new LongAdder()).increment();
    }

    @Override
    public long getConnectedFast() {
        return connectedFast.sum();
    }

    @Override
    public long getAcceptedFast() {
        return acceptedFast.sum();
    }

    @Override
    public int getOpenFast() {
        return open.get();
    }

    @Override
    public long getFastBytesSent() {
        return bytes.sum();
    }

    @Override
    public Map<String, Long> getFast() {
        Map<String, Long> counts = new TreeMap<>();
        fast.forEach((pipe, count) -> counts.put(pipe, count.sum()));
        return counts;
    }

    @Override
    public Map<String, Long> getPlain() {
        Map<String, Long> counts = new TreeMap<>();
        plain.forEach((reason, count) -> {
            long sum = count.sum();
            if (sum > 0) { // and not about to be counted for the first time
                counts.put(reason.name(), sum);
            }
        });
        return counts;
    }
}
