package org.galerna.bench.galerna;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.galerna.bench.suite.Answer;
import org.galerna.bench.suite.Command;
import org.galerna.bench.suite.ContenderServer;

/**
 * The benchmarks that every level has, one rank's part. Loops are what the OSU micro-benchmarks do: in a latency ranks 0
 * and 1 throw a message back and forth; a stream is windows of messages without blocking, each acknowledged once.
 */
class Benchmarks implements ContenderServer.Rank {
    private static final long HIGHEST_NANOS = 60_000_000_000L;
    private static final int DIGITS = 3;
    private static final int BYTES_PER_KIBIBYTE = 1024;

    private final Messenger messenger;
    private final int rank;
    private final int size;

    Benchmarks(Messenger messenger) {
        this.messenger = messenger;
        this.rank = messenger.rank();
        this.size = messenger.size();
    }

    /** What is repeated, and timed. */
    @FunctionalInterface
    interface Loop {
        void run(int iterations);
    }

    @Override
    public Answer run(Command command) throws IOException {
        Optional<String> objection = messenger.objection(command);
        if (objection.isPresent()) {
            return new Answer.Refused(objection.get());
        }
        if (command.bytes() > Integer.MAX_VALUE - 64) {
            return new Answer.Refused("an array has at most " + Integer.MAX_VALUE + " bytes");
        }
        int window = command.window();
        messenger.prepare((int) command.bytes(), window);
        return switch (command.benchmark()) {
            case "latency" -> timed(this::pingPong, command);
            case "bandwidth" -> timed(iterations -> stream(iterations, window, 1), command);
            case "bibandwidth" -> timed(iterations -> exchange(iterations, window), command);
            case "rate" -> timed(iterations -> stream(iterations, window, size / 2), command);
            case "percentiles latency" -> percentiles(command.iterations());
            case "allocation" -> allocation(command.iterations());
            case "resident" -> Answer.of(residentBytes());
            default -> Answer.unknown(command);
        };
    }

    /** The time of a loop on the slowest rank, in nanoseconds. */
    final Answer timed(Loop loop, Command command) {
        messenger.barrier();
        long start = System.nanoTime();
        loop.run(command.iterations());
        long elapsed = System.nanoTime() - start;
        return Answer.of(messenger.maximum((double) elapsed));
    }

    private void pingPong(int iterations) {
        if (rank == 0) {
            for (int each = 0; each < iterations; each++) {
                messenger.send(1);
                messenger.receive(1);
            }
        } else if (rank == 1) {
            for (int each = 0; each < iterations; each++) {
                messenger.receive(0);
                messenger.send(0);
            }
        }
    }

    /** The first {@code senders} ranks send to as many others. */
    final void stream(int iterations, int window, int senders) {
        if (rank < senders) {
            int peer = rank + senders;
            for (int each = 0; each < iterations; each++) {
                messenger.sendWindow(peer, window);
                messenger.awaitAcknowledgement(peer);
            }
        } else if (rank < 2 * senders) {
            int peer = rank - senders;
            for (int each = 0; each < iterations; each++) {
                messenger.receiveWindow(peer, window);
                messenger.acknowledge(peer);
            }
        }
    }

    private void exchange(int iterations, int window) {
        if (rank > 1) {
            return;
        }
        int peer = 1 - rank;
        for (int each = 0; each < iterations; each++) {
            messenger.exchangeWindows(peer, window);
            if (rank == 0) {
                messenger.awaitAcknowledgement(peer);
            } else {
                messenger.acknowledge(peer);
            }
        }
    }

    /** Each round trip is timed, and includes reading the clock. */
    private Answer percentiles(int iterations) {
        messenger.barrier();
        if (rank != 0) {
            pingPong(iterations);
            return Answer.of(0);
        }
        Histogram oneWay = new Histogram(HIGHEST_NANOS, DIGITS);
        long before = System.nanoTime();
        for (int each = 0; each < iterations; each++) {
            messenger.send(1);
            messenger.receive(1);
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

    /** Bytes that the rank which allocates most does for a message that it sends or receives. */
    private Answer allocation(int iterations) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        messenger.barrier();
        long before = threads.getCurrentThreadAllocatedBytes();
        pingPong(iterations);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        return Answer.of(messenger.maximum(allocated / (2.0 * iterations)));
    }

    private static double residentBytes() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmRSS:")) {
                return (double) BYTES_PER_KIBIBYTE * Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        throw new IOException("/proc/self/status does not tell the resident memory");
    }
}
