package org.galerna.sockets.report;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.galerna.sockets.FallbackReason;
import org.galerna.sockets.SocketCounters;

/** What has become of the connections of this process; any thread may ask. */
public final class Counters implements SocketCounters {
    public static final Counters INSTANCE = new Counters();

    /** What goes through a pipe. */
    public interface Traffic {
        /** Bytes written so far. */
        long written();

        /** Bytes read so far. */
        long taken();

        /** Reads and writes so far that needed no call of the system, less those for waiting and waking. */
        long callsSaved();
    }

    private final LongAdder connectedFast = new LongAdder();
    private final LongAdder acceptedFast = new LongAdder();
    private final Map<String, LongAdder> fast = new ConcurrentHashMap<>(); // by what they go through
    private final LongAdder bytes = new LongAdder();
    private final LongAdder bytesRead = new LongAdder();
    private final LongAdder callsSaved = new LongAdder();
    /** Those whose numbers are not in the sums yet. */
    private final Set<Traffic> pipes = ConcurrentHashMap.newKeySet();

    private final AtomicInteger open = new AtomicInteger();
    private final Map<FallbackReason, LongAdder> plain = new ConcurrentHashMap<>();

    private Counters() {}

    /** Takes a place among the fast connections; false if there is none left. */
    public boolean open(int most) {
        int now;
        do {
            now = open.get();
            if (now >= most) {
                return false;
            }
        } while (!open.compareAndSet(now, now + 1));
        return true;
    }

    public void connected(String pipe) {
        connectedFast.increment();
        fast.computeIfAbsent(pipe, none -> new LongAdder()).increment();
    }

    public void accepted(String pipe) {
        acceptedFast.increment();
        fast.computeIfAbsent(pipe, none -> new LongAdder()).increment();
    }

    /** A place is free again. */
    public void left() {
        open.decrementAndGet();
    }

    public void opened(Traffic pipe) {
        pipes.add(pipe);
    }

    public void closed(Traffic pipe) {
        if (pipes.remove(pipe)) {
            bytes.add(pipe.written());
            bytesRead.add(pipe.taken());
            callsSaved.add(pipe.callsSaved());
        }
    }

    private record Sum(long written, long taken, long callsSaved) implements Traffic {}

    /** What has gone through all pipes. */
    Traffic traffic() {
        long sent = bytes.sum();
        long read = bytesRead.sum();
        long saved = callsSaved.sum();
        for (Traffic pipe : pipes) {
            sent += pipe.written();
            read += pipe.taken();
            saved += pipe.callsSaved();
        }
        return new Sum(sent, read, saved);
    }

    /** All this in one line. */
    public String summary() {
        Traffic traffic = traffic();
        long fastOnes = connectedFast.sum() + acceptedFast.sum();
        StringBuilder text = new StringBuilder("sockets: ")
                .append(number(fastOnes, "fast connection"))
                .append(list(getFast(), " through "));
        text.append(", ").append(plainText());
        if (fastOnes > 0) {
            text.append("; ")
                    .append(Sizes.of(traffic.written()))
                    .append(" sent and ")
                    .append(Sizes.of(traffic.taken()));
            text.append(" received without TCP; ")
                    .append(number(traffic.callsSaved(), "call"))
                    .append(" of the system saved");
        }
        return text.toString();
    }

    private String plainText() {
        Map<String, Long> reasons = new TreeMap<>();
        getPlain()
                .forEach((reason, count) ->
                        reasons.put(FallbackReason.valueOf(reason).text(), count));
        long all = reasons.values().stream().mapToLong(Long::longValue).sum();
        return all + " plain" + list(reasons, "");
    }

    /** {@code (2 through shm, 1 through verbs)}; empty if there is nothing to list. */
    private static String list(Map<String, Long> counts, String verb) {
        return counts.isEmpty()
                ? ""
                : counts.entrySet().stream()
                        .map(each -> verb.isEmpty()
                                ? each.getKey() + ": " + each.getValue()
                                : each.getValue() + verb + each.getKey())
                        .collect(Collectors.joining(", ", " (", ")"));
    }

    private static String number(long count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }

    public void plain(FallbackReason reason) {
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
