package org.galerna.bench.messaging;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.galerna.bench.suite.Answer;
import org.galerna.bench.suite.Command;
import org.galerna.bench.suite.ContenderServer;
import org.galerna.messaging.MessagingNode;

/**
 * The benchmarks of object messaging, one node's part. A stream is what the sending threads have to say, without
 * acknowledgements but those of the flow control, until all of it has been handled; a latency is a request and its
 * response of the same length.
 */
final class MessagingBenchmarks implements ContenderServer.Rank, AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long LOOK_NANOS = 20_000;
    private static final long HIGHEST_NANOS = 60_000_000_000L;
    private static final int DIGITS = 3;
    private static final long REST_NANOS = 100_000_000;

    /** The system counts the time of a process in hundredths of a second: one of them is half a percent of this. */
    private static final long IDLE_NANOS = 1_000_000_000;

    private static final int MOST_BYTES = 32 << 20;

    private final MessagingNode node;
    private final Traffic traffic;
    private final StoreMix store;
    private final int rank;
    private final int size;
    private final int senders;
    private final ExecutorService threads =
            Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory());
    private final Payload[] payloads;
    private final long[] sent;
    private long round;
    private String loaded = "";

    MessagingBenchmarks(MessagingNode node, Traffic traffic, StoreMix store, int size, MessagingSystem system) {
        this.node = node;
        this.traffic = traffic;
        this.store = store;
        this.rank = node.id();
        this.size = size;
        this.senders = system.senders();
        this.sent = new long[size];
        this.payloads = IntStream.range(0, Math.max(senders, system.arrays()))
                .mapToObj(_ -> new Payload())
                .toArray(Payload[]::new);
    }

    /** What one thread sends to a node; the n-th of its messages. */
    @FunctionalInterface
    private interface Target {
        int of(long message);
    }

    /** What one of the sending threads does. */
    @FunctionalInterface
    private interface Work {
        void run(int thread);
    }

    /** What a node does. */
    @FunctionalInterface
    private interface Part {
        void run() throws IOException;
    }

    @Override
    public Answer run(Command command) throws IOException {
        if (command.bytes() > MOST_BYTES) {
            return new Answer.Refused("messages have at most " + MOST_BYTES + " bytes here");
        }
        for (Payload each : payloads) {
            each.resize((int) command.bytes());
        }
        int next = (rank + 1) % size;
        return switch (command.benchmark()) {
            case "latency" -> latency(command.iterations());
            case "percentiles latency" -> percentiles(command.iterations());
            case "rate", "bandwidth" -> stream(command, size / 2, _ -> rank + size / 2);
            case "bibandwidth" -> stream(command, size, _ -> next);
            case "exchange" -> stream(command, size, message -> (int) ((next + message % (size - 1)) % size));
            case "store-a", "store-b", "store-c", "store-d", "store-f" -> store(command);
            case "allocation" -> allocation(command);
            case "idle" -> idle();
            default -> Answer.unknown(command);
        };
    }

    // ---- one after the other

    private void ask(Payload payload) {
        Payload unused = node.request(1, payload, Payload.class, PATIENCE);
    }

    private Answer latency(int iterations) {
        if (rank != 0) {
            return Answer.of(0);
        }
        ask(payloads[0]);
        long start = System.nanoTime();
        for (int each = 0; each < iterations; each++) {
            ask(payloads[0]);
        }
        return Answer.of(System.nanoTime() - start);
    }

    private Answer percentiles(int iterations) {
        if (rank != 0) {
            return Answer.of(0);
        }
        Histogram oneWay = new Histogram(HIGHEST_NANOS, DIGITS);
        long before = System.nanoTime();
        for (int each = 0; each < iterations; each++) {
            ask(payloads[0]);
            long now = System.nanoTime();
            oneWay.recordValue(Math.clamp((now - before) / 2, 1, HIGHEST_NANOS));
            before = now;
        }
        return Answer.of(
                oneWay.getValueAtPercentile(50),
                oneWay.getValueAtPercentile(95),
                oneWay.getValueAtPercentile(99),
                oneWay.getValueAtPercentile(99.9),
                oneWay.getMaxValue());
    }

    // ---- streams

    /** The time until what the first so many nodes have to send is handled. */
    private Answer stream(Command command, int sending, Target target) throws IOException {
        long messages = (long) command.iterations() * command.window();
        return together(sending, () -> {
            send(messages, target);
            awaitHandled();
        });
    }

    /** The time until the first so many nodes, which begin at once, have done their part. */
    private Answer together(int working, Part part) throws IOException {
        long current = ++round;
        begin(current);
        long start = System.nanoTime();
        if (rank < working) {
            part.run();
        }
        traffic.finished = current;
        if (rank == 0) {
            for (int other = 1; other < working; other++) {
                await(other, Traffic.Topic.FINISHED, current);
            }
        }
        return Answer.of(System.nanoTime() - start);
    }

    /** Lets all nodes begin at once; the first one tells the others. */
    private void begin(long current) {
        traffic.ready = current;
        if (rank == 0) {
            for (int other = 1; other < size; other++) {
                await(other, Traffic.Topic.READY, current);
            }
            for (int other = 1; other < size; other++) {
                long unused = ask(other, Traffic.Topic.START, current);
            }
        } else {
            while (traffic.started < current) {
                LockSupport.parkNanos(this, LOOK_NANOS);
            }
        }
    }

    private long ask(int other, Traffic.Topic topic, long value) {
        return node.request(other, new Traffic.Question(topic, value), Traffic.Answer.class, PATIENCE)
                .value();
    }

    private void await(int other, Traffic.Topic topic, long value) {
        while (ask(other, topic, value) < value) {
            LockSupport.parkNanos(this, LOOK_NANOS);
        }
    }

    private void send(long messages, Target target) throws IOException {
        for (long message = 0; message < messages; message++) {
            sent[target.of(message)] += senders;
        }
        inThreads(thread -> sendAll(thread, messages, target));
    }

    private void inThreads(Work work) throws IOException {
        List<Future<?>> others = new ArrayList<>();
        for (int thread = 1; thread < senders; thread++) {
            int other = thread;
            others.add(threads.submit(() -> work.run(other)));
        }
        work.run(0);
        try {
            for (Future<?> each : others) {
                Object unused = each.get();
            }
        } catch (InterruptedException | ExecutionException failed) {
            throw new IOException("a sending thread has failed", failed);
        }
    }

    /** A thread sends its own part of the objects in turn; no two threads send the same. */
    private void sendAll(int thread, long messages, Target target) {
        int next = thread;
        for (long message = 0; message < messages; message++) {
            node.send(target.of(message), payloads[next]);
            next += senders;
            if (next >= payloads.length) {
                next = thread;
            }
        }
        node.flush(); // this thread will say no more
    }

    private void awaitHandled() {
        for (int other = 0; other < size; other++) {
            if (sent[other] > 0) {
                await(other, Traffic.Topic.RECEIVED, sent[other]);
            }
        }
    }

    // ---- the store

    /** The time until the clients of all nodes have had all their operations, each so many. */
    private Answer store(Command command) throws IOException {
        String benchmark = command.benchmark();
        StoreMix.Workload workload = StoreMix.Workload.valueOf(
                benchmark.substring(benchmark.length() - 1).toUpperCase(Locale.ROOT));
        int bytes = (int) command.bytes();
        String wanted = workload + " " + bytes;
        if (!loaded.equals(wanted)) { // nobody asks before all are ready
            store.load(rank, bytes);
            loaded = wanted;
        }
        return together(
                size,
                () -> inThreads(
                        thread -> store.run(node, workload, command.iterations(), bytes, rank * senders + thread)));
    }

    // ---- what it costs

    /** Bytes that two processes allocate for a message, from sending to receiving; that of the one with more. */
    private Answer allocation(Command command) throws IOException {
        if (rank != 0) {
            return Answer.of(0);
        }
        long here = Allocation.ofProcess();
        long there = ask(1, Traffic.Topic.ALLOCATED, 0);
        send(command.iterations(), _ -> 1);
        awaitHandled();
        long more = Math.max(Allocation.ofProcess() - here, ask(1, Traffic.Topic.ALLOCATED, 0) - there);
        return Answer.of((double) more / command.iterations() / senders);
    }

    /** Time of processors that this process takes while nobody sends anything, in percent of one core. */
    private Answer idle() {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        sleep(REST_NANOS);
        long busy = system.getProcessCpuTime();
        long start = System.nanoTime();
        sleep(IDLE_NANOS);
        long elapsed = System.nanoTime() - start;
        return Answer.of(100.0 * (system.getProcessCpuTime() - busy) / elapsed);
    }

    private void sleep(long nanos) {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
