package org.galerna.collectives;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Operation;
import org.galerna.collectives.reduction.Operator;
import org.galerna.collectives.reduction.PrimitiveReductions;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.collectives.selection.Catalogue;
import org.galerna.collectives.team.Team;
import org.galerna.device.Device;
import org.galerna.device.DeviceOptions;
import org.galerna.device.RankList;
import org.galerna.device.Request;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Collectives on memory that the ranks share, in all mixtures. */
final class SharedHeapTest {
    private static final long SEED = Long.getLong("galerna.test.seed", System.nanoTime());
    private static final Reduction SUM = PrimitiveReductions.of(Operator.SUM, long[].class);
    private static final int[] LENGTHS = {1, 2, 13, 14, 15, 100, 1024, 1025, 5000, 40_000};

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5, 8})
    void collectivesOfAnySizeAndMessagesMix(int size) {
        mix(size, 400);
    }

    @Tag("slow")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 32, 64})
    void collectivesOfAnySizeAndMessagesMixForLong(int size) {
        mix(size, size > 17 ? 300 : 2_000);
    }

    /** All ranks draw the same steps; each step is a collective of one of three teams, or a round of messages. */
    private static void mix(int size, int steps) {
        System.out.println("SharedHeapTest: " + size + " ranks, repeat with -Dgalerna.test.seed=" + SEED);
        try (Ranks ranks = Ranks.of(size)) {
            ranks.onThreads(rank -> {
                Device device = ranks.device(rank);
                int[] all = IntStream.range(0, size).toArray();
                int[] backwards =
                        IntStream.range(0, size).map(each -> size - 1 - each).toArray();
                int[] half = IntStream.range(0, size)
                        .filter(each -> each % 2 == rank % 2)
                        .toArray();
                List<Collectives> teams = new ArrayList<>();
                for (int[] members : List.of(all, backwards, half)) {
                    teams.add(new Collectives(
                            new Team(device, RankList.of(members), 1 + teams.size()), CollectiveOptions.standard()));
                }
                Random random = new Random(SEED);
                for (int step = 0; step < steps; step++) {
                    int kind = random.nextInt(8);
                    int length = LENGTHS[random.nextInt(LENGTHS.length)];
                    int root = random.nextInt(size);
                    Collectives collectives = teams.get(random.nextInt(teams.size()));
                    if (kind == 7) {
                        exchange(device, length, step);
                    } else {
                        Step.run(
                                collectives,
                                kind,
                                length,
                                root % collectives.team().size(),
                                step);
                    }
                }
            });
        }
    }

    /** To the next rank and from the previous one, while others may be in a collective already. */
    private static void exchange(Device device, int length, int step) {
        int next = (device.rank() + 1) % device.size();
        int previous = (device.rank() + device.size() - 1) % device.size();
        long[] received = new long[length];
        Request request = device.irecv(received, 0, 8L * length, previous, 9, 9);
        long[] sent = new long[length];
        Arrays.fill(sent, value(device.rank(), step));
        device.send(sent, 0, 8L * length, next, 9, 9);
        request.await();
        request.release();
        assertThat(received[length - 1]).isEqualTo(value(previous, step));
    }

    private static long value(int deviceRank, int step) {
        return Values.number(SEED, deviceRank, step);
    }

    /** One collective, with the value of a rank in all elements, and what must come of it. */
    private record Step(Collectives collectives, int length, int root, int step) {
        static void run(Collectives collectives, int kind, int length, int root, int step) {
            Step call = new Step(collectives, length, root, step);
            switch (kind) {
                case 0 -> collectives.barrier();
                case 1 -> call.bcast();
                case 2 -> call.allreduce();
                case 3 -> call.reduce();
                case 4 -> call.allgather();
                case 5 -> call.alltoall();
                default -> call.gatherAndScatter();
            }
        }

        private int rank() {
            return collectives.team().rank();
        }

        private int size() {
            return collectives.team().size();
        }

        private long valueOf(int member) {
            return value(collectives.team().deviceRank(member), step);
        }

        private long sum() {
            return IntStream.range(0, size()).mapToLong(this::valueOf).sum();
        }

        private long[] filled(int blocks, long value) {
            long[] vector = new long[blocks * length];
            Arrays.fill(vector, value);
            return vector;
        }

        private void check(long[] vector, int block, long expected, String what) {
            for (int i = block * length; i < (block + 1) * length; i++) {
                if (vector[i] != expected) {
                    throw new AssertionError("step %d, %s of %d longs, root %d, rank %d of %d: %d instead of %d at %d"
                            .formatted(step, what, length, root, rank(), size(), vector[i], expected, i));
                }
            }
        }

        private void bcast() {
            long[] vector = filled(1, valueOf(rank()));
            collectives.bcast(vector, 0, 8L * length, root);
            check(vector, 0, valueOf(root), "bcast");
            Arrays.fill(vector, -1); // it belongs to this rank again
        }

        private void allreduce() {
            long[] send = filled(1, valueOf(rank()));
            long[] receive = step % 2 == 0 ? send : new long[length];
            collectives.allreduce(step % 2 == 0 ? null : send, 0, receive, 0, length, SUM);
            check(receive, 0, sum(), "allreduce");
            Arrays.fill(send, -1);
        }

        private void reduce() {
            long[] send = filled(1, valueOf(rank()));
            long[] receive = new long[length];
            collectives.reduce(send, 0, receive, 0, length, SUM, root);
            check(receive, 0, rank() == root ? sum() : 0, "reduce");
            Arrays.fill(send, -1);
        }

        private void allgather() {
            long[] send = filled(1, valueOf(rank()));
            long[] receive = new long[size() * length];
            collectives.allgather(send, 0, 8L * length, receive, 0);
            for (int member = 0; member < size(); member++) {
                check(receive, member, valueOf(member), "allgather");
            }
            Arrays.fill(send, -1);
        }

        private void alltoall() {
            long[] send = filled(size(), valueOf(rank()));
            for (int member = 0; member < size(); member++) {
                send[member * length] += member;
            }
            long[] receive = new long[size() * length];
            collectives.alltoall(send, 0, receive, 0, 8L * length);
            for (int member = 0; member < size(); member++) {
                receive[member * length] -= rank();
                check(receive, member, valueOf(member), "alltoall");
            }
            Arrays.fill(send, -1);
        }

        private void gatherAndScatter() {
            long[] mine = filled(1, valueOf(rank()));
            long[] all = new long[size() * length];
            collectives.gather(mine, 0, 8L * length, all, 0, root);
            long[] back = new long[length];
            collectives.scatter(all, 0, back, 0, 8L * length, root);
            check(back, 0, valueOf(rank()), "gather and scatter");
            Arrays.fill(mine, -1);
        }
    }

    /** Two communicators of a rank, each used by a thread of its own. */
    @Test
    void threadsUseTheirCommunicatorsAtTheSameTime() {
        int size = 3;
        try (Ranks ranks = Ranks.of(size)) {
            ranks.onThreads(rank -> {
                int[] all = IntStream.range(0, size).toArray();
                List<Thread> threads = new ArrayList<>();
                List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
                for (int context = 1; context <= 2; context++) {
                    Team team = new Team(ranks.device(rank), RankList.of(all), context);
                    long seed = SEED + context;
                    threads.add(Thread.ofPlatform().start(() -> {
                        try {
                            Collectives collectives = new Collectives(team, CollectiveOptions.standard());
                            Random random = new Random(seed);
                            for (int step = 0; step < 300; step++) {
                                int length = LENGTHS[random.nextInt(LENGTHS.length - 1)];
                                Step.run(collectives, random.nextInt(7), length, random.nextInt(size), step);
                            }
                        } catch (Throwable failure) {
                            failures.add(failure);
                            team.device().close();
                        }
                    }));
                }
                for (Thread thread : threads) {
                    thread.join();
                }
                assertThat(failures).isEmpty();
            });
        }
    }

    /** Memory of a confined arena is read and written by its own thread only. */
    @Test
    void memoryOfConfinedArenasIsServed() {
        for (String algorithm : List.of("slots", "direct")) {
            CollectiveOptions options = CollectiveOptions.standard()
                    .force(Operation.ALLREDUCE, algorithm)
                    .force(Operation.ALLGATHER, algorithm)
                    .force(Operation.ALLTOALL, algorithm)
                    .force(Operation.BCAST, algorithm);
            try (Ranks ranks = Ranks.of(4)) {
                ranks.run(team -> {
                    try (Arena arena = Arena.ofConfined()) {
                        Collectives collectives = new Collectives(team, options);
                        MemorySegment send = arena.allocate(32, 8);
                        MemorySegment receive = arena.allocate(48, 8);
                        for (int member = 0; member < 4; member++) {
                            send.setAtIndex(ValueLayout.JAVA_LONG, member, 10L * team.rank() + member);
                        }
                        collectives.alltoall(send, 0, receive, 8, 8);
                        assertThat(longs(receive))
                                .containsExactly(
                                        0, team.rank(), 10L + team.rank(), 20L + team.rank(), 30L + team.rank(), 0);
                        collectives.allgather(send, 0, 8, receive, 8);
                        assertThat(longs(receive)).containsExactly(0, 0, 10, 20, 30, 0);
                        collectives.allreduce(send, 0, receive, 8, 4, SUM);
                        assertThat(longs(receive)).containsExactly(0, 60, 64, 68, 72, 0);
                        collectives.allreduce(null, 0, receive, 8, 4, SUM);
                        assertThat(longs(receive)).containsExactly(0, 240, 256, 272, 288, 0);
                        collectives.bcast(send, 8, 24, 2);
                        assertThat(longs(send)).containsExactly(10L * team.rank(), 21, 22, 23);
                    }
                });
            }
        }
    }

    private static long[] longs(MemorySegment memory) {
        return memory.toArray(ValueLayout.JAVA_LONG);
    }

    /** A rank that waits in a collective serves the messages that others are waiting for. */
    @Test
    void messagesArriveWhileARankWaitsInACollective() {
        try (Ranks ranks = Ranks.of(2, new DeviceOptions(0, 0), device -> device)) {
            for (Algorithm algorithm : Catalogue.algorithms(Operation.BARRIER)) {
                CollectiveOptions options = CollectiveOptions.standard().force(Operation.BARRIER, algorithm.name());
                ranks.run(team -> {
                    Collectives collectives = new Collectives(team, options);
                    Device device = team.device();
                    byte[] bytes = new byte[300_000];
                    if (team.rank() == 0) {
                        Request request = device.irecv(bytes, 0, bytes.length, 1, 5, 5);
                        collectives.barrier();
                        request.await();
                        request.release();
                        assertThat(bytes[299_999]).isEqualTo((byte) 7);
                    } else {
                        Arrays.fill(bytes, (byte) 7);
                        // ends only when the other side, which is in the barrier, takes it
                        device.ssend(bytes, 0, bytes.length, 0, 5, 5);
                        collectives.barrier();
                    }
                });
            }
        }
    }
}
