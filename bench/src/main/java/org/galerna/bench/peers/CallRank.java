package org.galerna.bench.peers;

import java.io.IOException;
import java.util.Arrays;
import org.galerna.bench.suite.Answer;
import org.galerna.bench.suite.Command;
import org.galerna.bench.suite.ContenderServer;

/**
 * The benchmarks of a pair for systems of calls: {@code latency} and its percentiles are calls whose result is as long as their
 * argument, {@code rate} and {@code bandwidth} what goes one way. Rank 0 calls and takes the time; rank 1 serves by threads of its own.
 */
public final class CallRank implements ContenderServer.Rank {
    private static final double[] PERCENTS = {50, 95, 99, 99.9, 100};

    private final int rank;
    private final CallEnd end;

    /** Rank 0 with its end, or rank 1. */
    public CallRank(int rank, CallEnd end) {
        this.rank = rank;
        this.end = end;
    }

    /** What makes calls. Used by one thread. */
    public interface CallEnd {
        /** Calls with so many bytes, and waits until as many have come back. */
        void call(int bytes) throws IOException;

        /** Sends so many messages, and waits until all have been handled. */
        void stream(int bytes, long messages) throws IOException;
    }

    @Override
    public Answer run(Command command) throws IOException {
        if (command.bytes() > PairRank.LONGEST) {
            return new Answer.Refused("messages have at most " + PairRank.LONGEST + " bytes here");
        }
        int bytes = Math.max(1, (int) command.bytes());
        return switch (command.benchmark()) {
            case "latency" -> latency(bytes, command.iterations());
            case "percentiles latency" -> percentiles(bytes, command.iterations());
            case "bandwidth", "rate" -> stream(bytes, (long) command.iterations() * command.window());
            default -> Answer.unknown(command);
        };
    }

    private Answer latency(int bytes, int iterations) throws IOException {
        if (rank != 0) {
            return Answer.of(0);
        }
        end.call(bytes);
        long start = System.nanoTime();
        for (int each = 0; each < iterations; each++) {
            end.call(bytes);
        }
        return Answer.of(System.nanoTime() - start);
    }

    private Answer percentiles(int bytes, int iterations) throws IOException {
        if (rank != 0) {
            return Answer.of(0);
        }
        double[] oneWay = new double[iterations];
        for (int each = 0; each < iterations; each++) {
            long start = System.nanoTime();
            end.call(bytes);
            oneWay[each] = (System.nanoTime() - start) / 2.0;
        }
        Arrays.sort(oneWay);
        return Answer.of(Arrays.stream(PERCENTS)
                .map(percent -> oneWay[(int) Math.ceil(percent / 100 * iterations) - 1])
                .toArray());
    }

    private Answer stream(int bytes, long messages) throws IOException {
        if (rank != 0) {
            return Answer.of(0);
        }
        end.call(1);
        long start = System.nanoTime();
        end.stream(bytes, messages);
        return Answer.of(System.nanoTime() - start);
    }
}
