package org.galerna.applications.nas;

import java.util.Arrays;
import java.util.List;
import mpi.Intracomm;
import mpi.MPI;
import org.galerna.applications.team.Team;

/**
 * IS, "integer sort": ranks of small integers, ten times over. Keys are counted where they lie, and the counts are added
 * by {@code Reduce_scatter}, so that each rank has those of a range of keys. If there are more possible keys than a rank
 * has keys, the keys themselves go to the rank that has their range: bucket sizes by {@code Allreduce}, keys by
 * {@code Alltoallv}.
 */
final class IsKernel implements Kernel {
    private static final int ITERATIONS = 10;
    private static final int PROBES = 5;
    private static final int BUCKETS = 1 << 10;

    @Override
    public void check(ProblemClass size, int ranks) {
        if (Integer.bitCount(ranks) != 1) {
            throw new NasException("IS takes a power of two of ranks, not " + ranks);
        }
        if (ranks > BUCKETS) {
            throw new NasException("IS takes at most " + BUCKETS + " ranks, not " + ranks);
        }
        if ((keyCount(size) + ranks - 1) / ranks > Integer.MAX_VALUE - 16) {
            throw new NasException("IS of class " + size + " needs at least 2 ranks: one array cannot hold its keys");
        }
    }

    static long keyCount(ProblemClass size) {
        return 1L
                << switch (size) {
                    case S -> 16;
                    case W -> 20;
                    case A -> 23;
                    case B -> 25;
                    case C -> 27;
                    case D -> 31;
                };
    }

    private static int keyBits(ProblemClass size) {
        return switch (size) {
            case S -> 11;
            case W -> 16;
            case A -> 19;
            case B -> 21;
            case C -> 23;
            case D -> 27;
        };
    }

    private static int[] probeIndexes(ProblemClass size) {
        return switch (size) {
            case S -> new int[] {48427, 17148, 23627, 62548, 4431};
            case W -> new int[] {357773, 934767, 875723, 898999, 404505};
            case A -> new int[] {2112377, 662041, 5336171, 3642833, 4250760};
            case B -> new int[] {41869, 812306, 5102857, 18232239, 26860214};
            case C -> new int[] {44172927, 72999161, 74326391, 129606274, 21736814};
            case D -> new int[] {1317351170, 995930646, 1157283250, 1503301535, 1453734525};
        };
    }

    private static int[] probeRanks(ProblemClass size) {
        return switch (size) {
            case S -> new int[] {0, 18, 346, 64917, 65463};
            case W -> new int[] {1249, 11698, 1039987, 1043896, 1048018};
            case A -> new int[] {104, 17523, 123928, 8288932, 8388264};
            case B -> new int[] {33422937, 10244, 59149, 33135281, 99};
            case C -> new int[] {61147, 882988, 266290, 133997595, 133525895};
            case D -> new int[] {1, 36538729, 1978098519, 2145192618, 2147425337};
        };
    }

    /** The two keys that change in each iteration move the ranks of the probes by this much. */
    private static long expectedRank(ProblemClass size, int probe, int iteration) {
        long base = probeRanks(size)[probe];
        return switch (size) {
            case S, C -> probe <= 2 ? base + iteration : base - iteration;
            case W -> probe < 2 ? base + (iteration - 2) : base - iteration;
            case A -> probe <= 2 ? base + (iteration - 1) : base - (iteration - 1);
            case B -> probe == 1 || probe == 2 || probe == 4 ? base + iteration : base - iteration;
            case D -> probe < 2 ? base + iteration : base - iteration;
        };
    }

    @Override
    public KernelResult run(Intracomm ranks, ProblemClass size, int threads, double warmUpSeconds) {
        Sorter sorter = new Sorter(ranks, size, threads);
        double[] seconds = new double[1];
        Team.run(ranks, threads, member -> {
            sorter.createKeys(member);
            member.once(() -> sorter.changeKeys(1));
            member.warmUp(warmUpSeconds, () -> sorter.rank(member, 1)); // memory is touched, too
            member.once(ranks::Barrier);
            sorter.passed = 0;
            double start = System.nanoTime() * 1e-9;
            for (int iteration = 1; iteration <= ITERATIONS; iteration++) {
                int now = iteration;
                member.once(() -> sorter.changeKeys(now));
                sorter.rank(member, iteration);
            }
            if (member.isFirst()) {
                seconds[0] = System.nanoTime() * 1e-9 - start;
            }
        });
        Team.run(ranks, 1, sorter::gatherKeys);
        boolean sorted = sorter.isSorted();
        long[] passed = {sorter.passed, sorted ? 0 : 1};
        long[] total = new long[2];
        ranks.Allreduce(passed, 0, total, 0, 2, MPI.LONG, MPI.SUM);
        return new KernelResult(
                "IS",
                Long.toString(keyCount(size)),
                ITERATIONS,
                "keys ranked",
                seconds[0],
                (double) ITERATIONS * keyCount(size),
                total[0] == (long) PROBES * ITERATIONS && total[1] == 0,
                List.of(
                        "Probes that have the expected rank = " + total[0] + " of " + PROBES * ITERATIONS,
                        "Sorted = " + (total[1] == 0)));
    }

    /** What one rank has; its threads share it. */
    private static final class Sorter {
        private final Intracomm ranks;
        private final ProblemClass size;
        private final int rank;
        private final int keyRange;
        private final int bucketShift;
        private final int localKeys;
        private final int[] keys;
        private final int[][] counts;
        private final int[][] bucketOffsets;
        private final int[] bucketSizes =
                new int[PROBES + BUCKETS]; // keys of probes first: MPJ Express 0.44 adds up wrongly at offsets
        private final int[] bucketTotals = new int[PROBES + BUCKETS];
        private final boolean keysMove;
        private final int[] counted;
        private int[] sendBuffer = {};
        private int[] received;
        private int receivedCount;
        private int firstKey;
        private int endKey;
        private long keysBefore;
        private long passed;

        Sorter(Intracomm ranks, ProblemClass size, int threads) {
            this.ranks = ranks;
            this.size = size;
            this.rank = ranks.Rank();
            this.keyRange = 1 << keyBits(size);
            this.bucketShift = Math.max(0, keyBits(size) - 10);
            this.localKeys = Math.toIntExact(keyCount(size) / ranks.Size());
            this.keys = new int[localKeys];
            this.counts = new int[threads][];
            this.bucketOffsets = new int[threads][BUCKETS];
            this.keysMove = ranks.Size() > 1 && keyRange >= localKeys;
            this.counted = new int[ranks.Size() > 1 && !keysMove ? keyRange / ranks.Size() : 0];
            this.received = keys;
            this.receivedCount = localKeys;
            this.endKey = keyRange;
            if (keysMove) {
                allocateBuffers();
            }
        }

        private void allocateBuffers() {
            sendBuffer = new int[localKeys];
            received = new int[localKeys + localKeys / 4 + 16];
        }

        void createKeys(Team.Member member) {
            int from = member.from(localKeys);
            int to = member.to(localKeys);
            NasRandom random = NasRandom.after(NasRandom.SEED, 4 * ((long) rank * localKeys + from));
            double quarter = keyRange / 4.0;
            for (int index = from; index < to; index++) {
                double sum = random.next();
                sum += random.next();
                sum += random.next();
                sum += random.next();
                keys[index] = (int) (quarter * sum);
            }
            counts[member.index()] = new int[keyRange];
            member.barrier();
        }

        void changeKeys(int iteration) {
            if (rank == 0) {
                keys[iteration] = iteration;
                keys[iteration + ITERATIONS] = keyRange - iteration;
            }
        }

        void rank(Team.Member member, int iteration) {
            if (keysMove) {
                distribute(member);
            } else {
                member.once(this::shareProbes);
            }
            countAll(member);
            if (member.isFirst()) {
                if (counted.length > 0) {
                    addCountsOfRanks();
                }
                int[] places = counted.length > 0 ? counted : counts[0];
                accumulate(places, endKey - firstKey);
                verify(places, iteration);
            }
            member.barrier();
        }

        /** All threads count keys; the first one has the sum. */
        private void countAll(Team.Member member) {
            int first = keysMove ? firstKey : 0;
            int range = keysMove ? endKey - firstKey : keyRange;
            int[] own = counts[member.index()];
            Arrays.fill(own, 0, range, 0);
            count(received, member.from(receivedCount), member.to(receivedCount), first, own);
            member.barrier();
            if (member.threads() > 1) {
                addCounts(member.from(range), member.to(range));
                member.barrier();
            }
        }

        private void addCountsOfRanks() {
            int[] shares = new int[ranks.Size()];
            Arrays.fill(shares, counted.length);
            ranks.Reduce_scatter(counts[0], 0, counted, 0, shares, MPI.INT, MPI.SUM);
            firstKey = rank * counted.length;
            endKey = firstKey + counted.length;
            long[] here = {Arrays.stream(counted).asLongStream().sum()};
            long[] upToHere = new long[1];
            ranks.Scan(here, 0, upToHere, 0, 1, MPI.LONG, MPI.SUM);
            keysBefore = upToHere[0] - here[0];
        }

        /** Brings the keys of a range to the rank that has it, and counts them, if that has not been done. */
        void gatherKeys(Team.Member member) {
            if (keysMove || ranks.Size() == 1) {
                return;
            }
            allocateBuffers();
            distribute(member);
            int[] places = counts[0];
            Arrays.fill(places, 0, endKey - firstKey, 0);
            count(received, 0, receivedCount, firstKey, places);
            accumulate(places, endKey - firstKey);
        }

        private static void count(int[] keys, int from, int to, int firstKey, int[] counts) {
            for (int index = from; index < to; index++) {
                counts[keys[index] - firstKey]++;
            }
        }

        private void addCounts(int from, int to) {
            int[] first = counts[0];
            for (int thread = 1; thread < counts.length; thread++) {
                int[] other = counts[thread];
                for (int key = from; key < to; key++) {
                    first[key] += other[key];
                }
            }
        }

        private static void accumulate(int[] counts, int range) {
            int sum = 0;
            for (int key = 0; key < range; key++) {
                sum += counts[key];
                counts[key] = sum;
            }
        }

        /** Each rank gets a range of buckets with about the same number of keys. */
        private void distribute(Team.Member member) {
            int[] sizes = bucketOffsets[member.index()];
            int from = member.from(localKeys);
            int to = member.to(localKeys);
            Arrays.fill(sizes, 0);
            for (int index = from; index < to; index++) {
                sizes[keys[index] >> bucketShift]++;
            }
            member.once(() -> addBuckets(member.threads()));
            for (int index = from; index < to; index++) {
                int key = keys[index];
                sendBuffer[sizes[key >> bucketShift]++] = key;
            }
            member.once(this::exchange);
        }

        private void shareProbes() {
            probe();
            if (ranks.Size() > 1) {
                ranks.Allreduce(bucketSizes, 0, bucketTotals, 0, PROBES, MPI.INT, MPI.SUM);
            }
        }

        /** Totals of the buckets; sizes become the places where each thread puts the keys of a bucket. */
        private void addBuckets(int threadsAtWork) {
            int place = 0;
            for (int bucket = 0; bucket < BUCKETS; bucket++) {
                int start = place;
                for (int thread = 0; thread < threadsAtWork; thread++) {
                    int[] offsets = bucketOffsets[thread];
                    int count = offsets[bucket];
                    offsets[bucket] = place;
                    place += count;
                }
                bucketSizes[PROBES + bucket] = place - start;
            }
            probe();
            ranks.Allreduce(bucketSizes, 0, bucketTotals, 0, bucketSizes.length, MPI.INT, MPI.SUM);
        }

        /** The rank that has a probe tells its key; the others tell 0. */
        private void probe() {
            int[] indexes = probeIndexes(size);
            for (int probe = 0; probe < PROBES; probe++) {
                int index = indexes[probe];
                bucketSizes[probe] = index / localKeys == rank ? keys[index % localKeys] : 0;
                bucketTotals[probe] = bucketSizes[probe];
            }
        }

        private void exchange() {
            int parts = ranks.Size();
            int[] sendCounts = new int[parts];
            int[] sendOffsets = new int[parts];
            int[] receiveCounts = new int[parts];
            int[] receiveOffsets = new int[parts];
            long total = keyCount(size);
            long seen = 0;
            int part = 0;
            int firstBucket = 0;
            int endBucket = 0;
            long before = 0;
            for (int bucket = 0; bucket < BUCKETS; bucket++) {
                // A bucket belongs to the part in which its first key lies.
                int owner = (int) Math.min(parts - 1, seen * parts / total);
                if (owner != part || bucket == 0) {
                    part = owner;
                    if (owner == rank) {
                        firstBucket = bucket;
                        before = seen;
                    }
                }
                if (owner == rank) {
                    endBucket = bucket + 1;
                }
                sendCounts[owner] += bucketSizes[PROBES + bucket];
                seen += bucketTotals[PROBES + bucket];
            }
            for (int each = 1; each < parts; each++) {
                sendOffsets[each] = sendOffsets[each - 1] + sendCounts[each - 1];
            }
            ranks.Alltoall(sendCounts, 0, 1, MPI.INT, receiveCounts, 0, 1, MPI.INT);
            int count = 0;
            for (int each = 0; each < parts; each++) {
                receiveOffsets[each] = count;
                count = Math.addExact(count, receiveCounts[each]);
            }
            if (count > received.length) {
                received = new int[count + count / 8];
            }
            ranks.Alltoallv(
                    sendBuffer,
                    0,
                    sendCounts,
                    sendOffsets,
                    MPI.INT,
                    received,
                    0,
                    receiveCounts,
                    receiveOffsets,
                    MPI.INT);
            receivedCount = count;
            firstKey = Math.min(keyRange, firstBucket << bucketShift);
            endKey = Math.max(firstKey, Math.min(keyRange, endBucket << bucketShift));
            keysBefore = before;
        }

        private void verify(int[] places, int iteration) {
            for (int probe = 0; probe < PROBES; probe++) {
                int key = bucketTotals[probe];
                // The rank of a key is the number of keys that are smaller: those up to the key before it.
                if (key > 0 && key >= firstKey && key < endKey) {
                    long smaller = keysBefore + (key > firstKey ? places[key - firstKey - 1] : 0);
                    if (smaller == expectedRank(size, probe, iteration)) {
                        passed++;
                    }
                }
            }
        }

        /** Puts the keys where their ranks say, and looks whether they are in order, beyond the ends of ranks too. */
        boolean isSorted() {
            int[] places = counts[0];
            int[] sorted = new int[receivedCount];
            for (int index = 0; index < receivedCount; index++) {
                int key = received[index];
                sorted[--places[key - firstKey]] = key;
            }
            boolean right = true;
            for (int index = 1; index < receivedCount; index++) {
                right &= sorted[index - 1] <= sorted[index];
            }
            int[] ends = {
                receivedCount, receivedCount == 0 ? 0 : sorted[0], receivedCount == 0 ? 0 : sorted[receivedCount - 1]
            };
            int[] all = new int[3 * ranks.Size()];
            ranks.Allgather(ends, 0, 3, MPI.INT, all, 0, 3, MPI.INT);
            long total = 0;
            int last = -1;
            for (int each = 0; each < ranks.Size(); each++) {
                if (all[3 * each] > 0) {
                    right &= last <= all[3 * each + 1];
                    last = all[3 * each + 2];
                }
                total += all[3 * each];
            }
            return right && total == keyCount(size);
        }
    }
}
