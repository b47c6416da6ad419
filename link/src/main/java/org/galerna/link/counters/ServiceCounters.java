package org.galerna.link.counters;

import static org.galerna.link.counters.CountersLayout.LONGS;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.galerna.link.process.EndOfProcess;
import org.galerna.link.process.OwnLog;

/**
 * Shows other processes what is counted by something that is no rank: a node of messages, or the fast sockets of a process. It
 * counts in its own way; a thread of the process copies its figures once a second.
 */
public final class ServiceCounters implements AutoCloseable {
    private static final Logger LOGGER = OwnLog.of(ServiceCounters.class.getName());

    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Those of this process. */
    private static final Set<ServiceCounters> ALL = ConcurrentHashMap.newKeySet();

    private static final AtomicBoolean RUNNING = new AtomicBoolean();
    private static final AtomicBoolean ENDS_WITH_PROCESS = new AtomicBoolean();

    /**
     * What has been counted.
     *
     * @param figures by their names, each one word, in the order in which they are shown
     * @param peers other nodes
     */
    public record Counted(Map<String, Long> figures, List<Peer> peers) {
        /** What has been counted, copied. */
        public Counted {
            figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
            peers = List.copyOf(peers);
        }
    }

    /**
     * What went to another node and came from it.
     *
     * @param number of the node, from 0
     */
    public record Peer(int number, long sent, long sentBytes, long received, long receivedBytes) {}

    private final String job;
    private final Supplier<Counted> source;
    private final RankCounters counters;
    private boolean closed; // guarded by this

    private ServiceCounters(String job, int number, Supplier<Counted> source) {
        this.job = job;
        this.source = source;
        this.counters = RankCounters.open(job, "service", number, 0);
    }

    /**
     * Shows it, until it is closed or the process ends.
     *
     * @param kind what it is, in one word
     * @param number tells it from others of the kind in this process
     * @param source what it has counted; asked by one thread at a time
     */
    public static ServiceCounters show(String kind, int number, Supplier<Counted> source) {
        ServiceCounters shown = new ServiceCounters(
                kind + "-" + number + "-" + OwnProcess.instance().number(), number, source);
        shown.copy();
        shown.counters.joined(kind);
        ALL.add(shown);
        if (!ENDS_WITH_PROCESS.getAndSet(true)) {
            EndOfProcess.add(() -> ALL.forEach(ServiceCounters::close));
        }
        startThread();
        return shown;
    }

    private static void startThread() {
        if (!RUNNING.getAndSet(true)) {
            Thread.ofPlatform()
                    .daemon()
                    .name("galerna-counters")
                    .inheritInheritableThreadLocals(false)
                    .start(ServiceCounters::run);
        }
    }

    /** Ends when there is nothing to show. */
    private static void run() {
        while (!ALL.isEmpty()) {
            LockSupport.parkNanos(PERIOD_NANOS);
            ALL.forEach(ServiceCounters::copy);
        }
        RUNNING.set(false);
        if (!ALL.isEmpty()) { // one that came meanwhile has found this thread running
            startThread();
        }
    }

    private synchronized void copy() {
        if (closed) {
            return;
        }
        try {
            Counted counted = source.get();
            counted.figures()
                    .forEach((name, value) ->
                            LONGS.setOpaque(counters.figure(name), (long) CountersLayout.FIGURE, (long) value));
            copy(counted.peers());
        } catch (RuntimeException | LinkageError impossible) {
            LOGGER.log(Level.DEBUG, "the counters of {0} cannot be shown: {1}", job, impossible);
        }
    }

    private void copy(List<Peer> peers) {
        Peer others = new Peer(0, 0, 0, 0, 0);
        for (Peer each : peers) {
            MemorySegment row = counters.row(each.number());
            if (counters.isCommon(row)) {
                others = new Peer(
                        0,
                        others.sent + each.sent,
                        others.sentBytes + each.sentBytes,
                        others.received + each.received,
                        others.receivedBytes + each.receivedBytes);
                write(row, others);
            } else {
                write(row, each);
            }
        }
    }

    private static void write(MemorySegment row, Peer peer) {
        LONGS.setOpaque(row, (long) CountersLayout.SENT_BEFORE, peer.sent);
        LONGS.setOpaque(row, (long) CountersLayout.SENT_BEFORE + CountersLayout.BYTES, peer.sentBytes);
        LONGS.setOpaque(row, (long) CountersLayout.RECEIVED_BEFORE, peer.received);
        LONGS.setOpaque(row, (long) CountersLayout.RECEIVED_BEFORE + CountersLayout.BYTES, peer.receivedBytes);
    }

    /** Shows it no more. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            ALL.remove(this);
            counters.leave();
        }
    }
}
