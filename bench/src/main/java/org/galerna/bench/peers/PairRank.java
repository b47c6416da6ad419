package org.galerna.bench.peers;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.galerna.bench.suite.Answer;
import org.galerna.bench.suite.Command;
import org.galerna.bench.suite.ContenderServer;

/**
 * The benchmarks of a pair over any {@link MessageEnd}: {@code latency} and its percentiles, {@code bandwidth} and
 * {@code rate}. They do what the program for the C implementations of MPI does. Rank 0 takes the time: it begins with
 * rank 1's answer to a barrier and ends with rank 1's answer to the last message.
 */
public final class PairRank implements ContenderServer.Rank {
    private static final int ACKNOWLEDGEMENT_BYTES = 4;

    /** Longest message, in bytes. */
    public static final int LONGEST = 64 << 20;

    private static final double[] PERCENTS = {50, 95, 99, 99.9, 100};

    private final int rank;
    private final MessageEnd end;

    /** A rank 0 or 1, and its end. */
    public PairRank(int rank, MessageEnd end) {
        this.rank = rank;
        this.end = end;
    }

    /** What a thread of a peer that has both ranks in its process does; it returns at the end of the benchmarks. */
    @FunctionalInterface
    public interface Service {
        /** Serves rank 0 or 1. */
        void serve(int rank) throws IOException;
    }

    /**
     * Runs both ranks as threads of this process until they have ended.
     *
     * @throws IOException if one of them fails, whatever the other one does
     */
    public static void serveBoth(Service service) throws IOException {
        ExecutorService threads =
                Executors.newFixedThreadPool(2, Thread.ofPlatform().daemon().factory());
        ExecutorCompletionService<Integer> ranks = new ExecutorCompletionService<>(threads);
        for (int rank = 0; rank < 2; rank++) {
            ranks.submit(ending(service, rank));
        }
        try {
            ranks.take().get();
            ranks.take().get();
        } catch (ExecutionException failed) {
            throw new IOException("a rank has failed: " + failed.getCause(), failed);
        } catch (InterruptedException interrupted) {
            throw new IOException("interrupted", interrupted);
        }
    }

    private static Callable<Integer> ending(Service service, int rank) {
        return () -> {
            service.serve(rank);
            return rank;
        };
    }

    @Override
    public Answer run(Command command) throws IOException {
        if (command.bytes() > LONGEST) {
            return new Answer.Refused("messages have at most " + LONGEST + " bytes here");
        }
        int bytes = Math.max(1, (int) command.bytes());
        return switch (command.benchmark()) {
            case "latency" -> latency(bytes, command.iterations());
            case "percentiles latency" -> percentiles(bytes, command.iterations());
            case "bandwidth", "rate" -> stream(bytes, command.iterations(), command.window());
            default -> Answer.unknown(command);
        };
    }

    private void barrier() throws IOException {
        if (rank == 0) {
            ping(1);
        } else {
            pong(1);
        }
    }

    private void ping(int bytes) throws IOException {
        end.send(bytes);
        end.receive(bytes);
    }

    private void pong(int bytes) throws IOException {
        end.receive(bytes);
        end.send(bytes);
    }

    private Answer latency(int bytes, int iterations) throws IOException {
        barrier();
        long start = System.nanoTime();
        for (int i = 0; i < iterations; i++) {
            if (rank == 0) {
                ping(bytes);
            } else {
                pong(bytes);
            }
        }
        return Answer.of(System.nanoTime() - start);
    }

    private Answer percentiles(int bytes, int iterations) throws IOException {
        double[] oneWay = new double[iterations];
        barrier();
        for (int i = 0; i < iterations; i++) {
            if (rank == 0) {
                long start = System.nanoTime();
                ping(bytes);
                oneWay[i] = (System.nanoTime() - start) / 2.0;
            } else {
                pong(bytes);
            }
        }
        Arrays.sort(oneWay);
        return Answer.of(Arrays.stream(PERCENTS)
                .map(percent -> oneWay[(int) Math.ceil(percent / 100 * iterations) - 1])
                .toArray());
    }

    private Answer stream(int bytes, int iterations, int window) throws IOException {
        barrier();
        long start = System.nanoTime();
        for (int i = 0; i < iterations; i++) {
            if (rank == 0) {
                end.sendWindow(bytes, window);
                end.receive(ACKNOWLEDGEMENT_BYTES);
            } else {
                end.receiveWindow(bytes, window);
                end.send(ACKNOWLEDGEMENT_BYTES);
            }
        }
        return Answer.of(System.nanoTime() - start);
    }
}
