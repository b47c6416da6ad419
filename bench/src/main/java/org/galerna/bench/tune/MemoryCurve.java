package org.galerna.bench.tune;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.galerna.bench.model.HostMemory;

/**
 * How fast all cores together copy blocks of a page, in no order, of more and more memory: up to a size they find them in a cache, and
 * from then on in the memory that all have in common.
 */
final class MemoryCurve {
    private static final int BLOCK = 4096;
    private static final int LEAST_BLOCKS = 16; // of a thread
    private static final long MOST_BYTES = 256L << 20;
    private static final double GROWTH = Math.sqrt(2);
    private static final long COPIED = 8L << 20; // by a thread at a time, at least
    private static final int REPETITIONS = 5;

    /** Memory that is not slower than the cache by more than this is as fast as the cache. */
    private static final double SLOWER = 1.5;

    private MemoryCurve() {}

    /**
     * Measures this host with so many threads; nothing else should run on it.
     *
     * @throws InterruptedException if the calling thread is interrupted
     */
    static HostMemory measure(int threads) throws InterruptedException {
        TreeMap<Long, Double> curve = new TreeMap<>();
        long least = 2L * BLOCK * LEAST_BLOCKS * threads;
        for (double bytes = least; bytes <= MOST_BYTES; bytes *= GROWTH) {
            curve.put((long) bytes, secondsPerByte(threads, (long) bytes));
        }
        return of(curve);
    }

    /** What follows from the seconds for each byte that is copied, by the bytes that are touched in turns. */
    static HostMemory of(SortedMap<Long, Double> curve) {
        if (curve.isEmpty()) {
            return HostMemory.FREE;
        }
        double quickest = curve.values().stream().min(Double::compare).orElseThrow();
        double slowest = Objects.requireNonNull(curve.get(curve.lastKey()));
        if (slowest < SLOWER * quickest) {
            return HostMemory.FREE;
        }
        double middle = Math.sqrt(quickest * slowest);
        long cache = curve.entrySet().stream()
                .filter(each -> each.getValue() < middle)
                .mapToLong(Map.Entry::getKey)
                .max()
                .orElseThrow();
        return new HostMemory(slowest, cache);
    }

    private static double secondsPerByte(int threads, long bytes) throws InterruptedException {
        CyclicBarrier together = new CyclicBarrier(threads);
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            List<Future<Double>> found = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                int seed = thread;
                found.add(pool.submit(() -> copy(bytes / threads, seed, together)));
            }
            double sum = 0;
            for (Future<Double> each : found) {
                sum += each.get();
            }
            return sum / threads / threads; // all of them copy at the same time
        } catch (ExecutionException wrong) {
            throw new IllegalStateException("memory cannot be measured", wrong.getCause());
        }
    }

    /** Seconds in which a thread copies a byte. */
    private static double copy(long touched, int seed, CyclicBarrier together) throws Exception {
        int blocks = Math.toIntExact(touched / 2 / BLOCK);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment from = arena.allocate((long) blocks * BLOCK, BLOCK);
            MemorySegment to = arena.allocate((long) blocks * BLOCK, BLOCK);
            int[] sources = shuffled(blocks, new Random(seed));
            int[] targets = shuffled(blocks, new Random(~seed));
            int rounds = Math.toIntExact(Math.ceilDiv(COPIED, (long) blocks * BLOCK));
            double[] seconds = new double[REPETITIONS];
            for (int repetition = 0; repetition < REPETITIONS; repetition++) {
                together.await();
                long start = System.nanoTime();
                for (int round = 0; round < rounds; round++) {
                    for (int each = 0; each < blocks; each++) {
                        MemorySegment.copy(from, (long) sources[each] * BLOCK, to, (long) targets[each] * BLOCK, BLOCK);
                    }
                }
                seconds[repetition] = (System.nanoTime() - start) / 1e9 / rounds / blocks / BLOCK;
            }
            Arrays.sort(seconds);
            return seconds[REPETITIONS / 2];
        }
    }

    private static int[] shuffled(int count, Random random) {
        int[] order = IntStream.range(0, count).toArray();
        for (int place = count - 1; place > 0; place--) {
            int other = random.nextInt(place + 1);
            int number = order[place];
            order[place] = order[other];
            order[other] = number;
        }
        return order;
    }
}
