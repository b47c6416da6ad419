package org.galerna.bench.pingpong;

import java.util.ArrayList;
import java.util.List;

/**
 * Measures pairs in turns: a batch of one, a batch of the next, so that a noisy moment hits them all. A batch takes about
 * a millisecond. Before it come exchanges that are not counted, because the ends of a pair have slept while the others
 * were measured: the system wakes a thread on the core of the one that wakes it, and takes some milliseconds to give it
 * a core of its own.
 */
final class LatencyMeter {
    private static final long BATCH_NANOS = 1_000_000;
    private static final long SETTLE_NANOS = 8_000_000;
    private static final long WARM_UP_NANOS = 500_000_000;
    private static final int LEAST_ROUND_TRIPS = 2;
    private static final int MOST_ROUND_TRIPS = 10_000;
    private static final long SINGLES_NANOS = 20_000_000;
    private static final int MOST_SINGLES = 20_000;

    private final List<Pair> pairs;
    private final int repetitions;

    LatencyMeter(List<Pair> pairs, int repetitions) {
        this.pairs = pairs;
        this.repetitions = repetitions;
    }

    /** Lets the compiler see every pair at work. */
    void warmUp(int length) {
        for (Pair pair : pairs) {
            long end = System.nanoTime() + WARM_UP_NANOS;
            while (System.nanoTime() < end) {
                timeBatch(pair, length, 0, 1000);
            }
        }
    }

    /** Measures every pair at one size. */
    List<Latency> measure(int length) {
        List<Latency> results = new ArrayList<>();
        List<Integer> batches = new ArrayList<>();
        for (Pair pair : pairs) {
            results.add(new Latency(pair.name(), length));
            batches.add(roundTripsIn(BATCH_NANOS, pair, length));
        }
        for (int repetition = 0; repetition < repetitions; repetition++) {
            for (int each = 0; each < pairs.size(); each++) {
                int roundTrips = batches.get(each);
                int settling = settling(roundTrips, BATCH_NANOS);
                results.get(each).addBatch(timeBatch(pairs.get(each), length, settling, roundTrips), roundTrips);
            }
        }
        for (int each = 0; each < pairs.size(); each++) {
            timeSingles(pairs.get(each), length, results.get(each));
        }
        return results;
    }

    private static int roundTripsIn(long nanos, Pair pair, int length) {
        int roundTrips = LEAST_ROUND_TRIPS;
        while (true) {
            long time = timeBatch(pair, length, 1, roundTrips);
            if (time >= nanos / 4 || roundTrips >= MOST_ROUND_TRIPS) {
                return Math.clamp(roundTrips * nanos / Math.max(time, 1), LEAST_ROUND_TRIPS, MOST_ROUND_TRIPS);
            }
            roundTrips *= 4;
        }
    }

    /** Exchanges that fill the time to settle, where {@code roundTrips} of them take {@code nanos}. */
    private static int settling(int roundTrips, long nanos) {
        return Math.clamp(roundTrips * SETTLE_NANOS / Math.max(nanos, 1), 1, Integer.MAX_VALUE / 2);
    }

    private static long timeBatch(Pair pair, int length, int settling, int roundTrips) {
        pair.prepare(length, settling + roundTrips);
        for (int each = 0; each < settling; each++) {
            pair.roundTrip();
        }
        long start = System.nanoTime();
        for (int each = 0; each < roundTrips; each++) {
            pair.roundTrip();
        }
        return System.nanoTime() - start;
    }

    private static void timeSingles(Pair pair, int length, Latency result) {
        int exchanges = Math.clamp((long) (SINGLES_NANOS / (2 * result.median())), 10, MOST_SINGLES);
        int settling = settling(exchanges, (long) (2 * exchanges * result.median()));
        pair.prepare(length, settling + exchanges);
        for (int each = 0; each < settling; each++) {
            pair.roundTrip();
        }
        long before = System.nanoTime();
        for (int each = 0; each < exchanges; each++) {
            pair.roundTrip();
            long now = System.nanoTime();
            result.addSingle(now - before);
            before = now;
        }
    }
}
