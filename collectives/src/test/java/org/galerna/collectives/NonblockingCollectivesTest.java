package org.galerna.collectives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.galerna.collectives.algorithm.Operation;
import org.galerna.collectives.reduction.Operator;
import org.galerna.collectives.reduction.PrimitiveReductions;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.collectives.team.Team;
import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.DeviceOptions;
import org.galerna.device.ErrorClass;
import org.galerna.device.RankList;
import org.galerna.device.Request;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class NonblockingCollectivesTest {
    private static final long SEED = Long.getLong("galerna.test.seed", 20_130_821);
    private static final Reduction SUM = PrimitiveReductions.of(Operator.SUM, long[].class);
    private static final int POINT_TO_POINT = 3;

    /** Each rank waits for them in an order of its own, with blocking collectives and messages between. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 7})
    void manyAreUnderWayAtOnce(int size) {
        System.out.println("NonblockingCollectivesTest: seed " + SEED);
        try (Ranks ranks = Ranks.of(size)) {
            ranks.run(team -> {
                Random random = new Random(SEED + team.rank());
                Collectives blocking = new Collectives(team, CollectiveOptions.standard());
                NonblockingCollectives collectives = new NonblockingCollectives(team, CollectiveOptions.standard());
                for (int round = 0; round < 30; round++) {
                    List<Running> running = start(collectives, team, round);
                    Collections.shuffle(running, random);
                    for (int half = 0; half < running.size() / 2; half++) {
                        running.get(half).complete();
                    }
                    long[] sum = new long[1];
                    blocking.allreduce(new long[] {team.rank()}, 0, sum, 0, 1, SUM);
                    assertThat(sum[0]).isEqualTo(size * (size - 1L) / 2);
                    for (int rest = running.size() / 2; rest < running.size(); rest++) {
                        running.get(rest).complete();
                    }
                }
            });
        }
    }

    private record Running(Request request, Runnable check) {
        void complete() {
            request.await();
            request.release();
            check.run();
        }
    }

    private static List<Running> start(NonblockingCollectives collectives, Team team, int round) {
        int size = team.size();
        int rank = team.rank();
        int count = round % 5 == 0 ? 20_000 : round;
        List<Running> running = new ArrayList<>();
        for (int root = 0; root < size; root++) {
            long value = 1000L * round + root;
            long[] vector = new long[count];
            Arrays.fill(vector, rank == root ? value : -1);
            int from = root;
            running.add(new Running(
                    collectives.start(on -> on.bcast(vector, 0, 8L * count, from)),
                    () -> assertThat(vector).containsOnly(longs(count, value))));
        }
        long[] own = new long[count];
        Arrays.fill(own, rank + round);
        long[] sum = new long[count];
        running.add(new Running(
                collectives.start(on -> on.allreduce(own, 0, sum, 0, count, SUM)),
                () -> assertThat(sum).containsOnly(longs(count, size * (size - 1L) / 2 + (long) size * round))));
        long[] all = new long[count * size];
        running.add(new Running(collectives.start(on -> on.allgather(own, 0, 8L * count, all, 0)), () -> {
            for (int member = 0; member < size; member++) {
                assertThat(Arrays.copyOfRange(all, member * count, (member + 1) * count))
                        .containsOnly(longs(count, member + round));
            }
        }));
        running.add(new Running(collectives.start(Collectives::barrier), () -> {}));
        return running;
    }

    /** What {@code containsOnly} wants of {@code count} equal elements. */
    private static long[] longs(int count, long value) {
        return count == 0 ? new long[0] : new long[] {value};
    }

    /** A collective goes on while the rank waits for something else, as MPI's rule of progress demands. */
    @Test
    void waitingForAMessageMovesThem() {
        try (Ranks ranks = Ranks.of(3)) {
            ranks.run(team -> {
                Device device = team.device();
                NonblockingCollectives collectives = new NonblockingCollectives(team, CollectiveOptions.standard());
                Request barrier = collectives.start(Collectives::barrier);
                if (team.rank() == 1) {
                    // sent only when rank 2 is through its barrier, which needs two rounds of rank 1
                    device.recv(new byte[1], 0, 1, 2, 0, POINT_TO_POINT).release();
                }
                barrier.await();
                if (team.rank() == 2) {
                    device.send(new byte[1], 0, 1, 1, 0, POINT_TO_POINT);
                }
            });
        }
    }

    /** Ranks may wait for the collectives of different communicators in different orders. */
    @Test
    void communicatorsDoNotWaitForEachOther() {
        try (Ranks ranks = Ranks.of(4)) {
            ranks.onThreads(rank -> {
                int[] all = {0, 1, 2, 3};
                Team one = new Team(ranks.device(rank), RankList.of(all), 1);
                Team two = new Team(ranks.device(rank), RankList.of(all), 2);
                NonblockingCollectives first = new NonblockingCollectives(one, CollectiveOptions.standard());
                NonblockingCollectives second = new NonblockingCollectives(two, CollectiveOptions.standard());
                for (int round = 0; round < 100; round++) {
                    NonblockingCollectives earlier = rank % 2 == 0 ? first : second;
                    NonblockingCollectives later = rank % 2 == 0 ? second : first;
                    Request started = earlier.start(Collectives::barrier);
                    later.start(Collectives::barrier).await();
                    started.await();
                }
            });
        }
    }

    @Test
    void testingIsEnough() {
        try (Ranks ranks = Ranks.of(5)) {
            ranks.run(team -> {
                NonblockingCollectives collectives = new NonblockingCollectives(team, CollectiveOptions.standard());
                long[] sum = new long[1];
                Request request =
                        collectives.start(on -> on.allreduce(new long[] {1L << team.rank()}, 0, sum, 0, 1, SUM));
                while (!request.test()) {
                    Thread.onSpinWait();
                }
                assertThat(request.hasSucceeded()).isTrue();
                assertThat(request.cancel()).isFalse();
                assertThat(sum[0]).isEqualTo(31);
            });
        }
    }

    @Test
    void differentCountsFailTheCollectiveAndNothingElse() {
        try (Ranks ranks = Ranks.of(2)) {
            ranks.run(team -> {
                NonblockingCollectives collectives = new NonblockingCollectives(team, CollectiveOptions.standard());
                Request fine = collectives.start(Collectives::barrier);
                long length = team.rank() == 0 ? 8 : 16;
                Request wrong = collectives.start(on -> on.bcast(new byte[16], 0, length, 0));
                Request after = collectives.start(Collectives::barrier);
                fine.await();
                after.await();
                if (team.rank() == 1) {
                    assertThatExceptionOfType(DeviceException.class)
                            .isThrownBy(wrong::await)
                            .withMessageContaining("call Ibcast with matching counts")
                            .withMessageContaining("rank 0 sends 8 bytes, rank 1 expects 16")
                            .satisfies(
                                    failure -> assertThat(failure.errorClass()).isEqualTo(ErrorClass.COUNT));
                }
            });
        }
    }

    /** It is the collective that fails, not the call that happens to move it. */
    @Test
    void anOperatorThatThrowsFailsItsCollective() {
        try (Ranks ranks = Ranks.of(2)) {
            ranks.run(team -> {
                NonblockingCollectives collectives = new NonblockingCollectives(team, CollectiveOptions.standard());
                Request broken = collectives.start(on -> on.allreduce(new long[1], 0, new long[1], 0, 1, new Broken()));
                Request fine = collectives.start(Collectives::barrier);
                fine.await();
                assertThatExceptionOfType(DeviceException.class)
                        .isThrownBy(broken::await)
                        .withMessageContaining("allreduce")
                        .withMessageContaining("no such sum");
            });
        }
    }

    /** What the collective has begun to receive is taken back: a later message must not find the caller's buffers. */
    @Test
    void whatAnOperatorThatThrowsHasLeftUnreceivedIsTakenBack() {
        List<Request> receives = Collections.synchronizedList(new ArrayList<>());
        try (Ranks ranks = Ranks.of(2, DeviceOptions.DEFAULT, device -> recording(device, receives))) {
            ranks.run(team -> {
                CollectiveOptions options = CollectiveOptions.standard().force(Operation.ALLREDUCE, "segmentedRing");
                NonblockingCollectives collectives = new NonblockingCollectives(team, options);
                int count = 1 << 20;
                Reduction reduction = team.rank() == 0 ? new Broken() : SUM;
                if (team.rank() == 1) {
                    team.device().recv(new byte[1], 0, 1, 0, 0, 7).release(); // the other one has failed
                    collectives.start(on -> on.allreduce(new long[count], 0, new long[count], 0, count, reduction));
                    team.device().send(new byte[1], 0, 1, 0, 0, 7);
                    return;
                }
                Request broken =
                        collectives.start(on -> on.allreduce(new long[count], 0, new long[count], 0, count, reduction));
                team.device().send(new byte[1], 0, 1, 1, 0, 7);
                assertThatExceptionOfType(DeviceException.class)
                        .isThrownBy(broken::await)
                        .withMessageContaining("no such sum");
                assertThat(receives).isNotEmpty().allMatch(Request::isDone);
                team.device().recv(new byte[1], 0, 1, 1, 0, 7).release();
            });
        }
    }

    /** A device that remembers the receives that are started on rank 0. */
    private static Device recording(Device device, List<Request> receives) {
        return (Device) Proxy.newProxyInstance(
                Device.class.getClassLoader(), new Class<?>[] {Device.class}, (proxy, method, arguments) -> {
                    Object result;
                    try {
                        result = method.invoke(device, arguments);
                    } catch (InvocationTargetException failure) {
                        throw failure.getCause();
                    }
                    if (device.rank() == 0 && method.getName().equals("irecv")) {
                        receives.add((Request) result);
                    }
                    return result;
                });
    }

    private static final class Broken implements Reduction {
        @Override
        public void apply(Object in, long inOffset, Object inOut, long inOutOffset, int count) {
            throw new ArithmeticException("no such sum");
        }

        @Override
        public int elementSize() {
            return SUM.elementSize();
        }

        @Override
        public boolean commutative() {
            return true;
        }

        @Override
        public Object allocate(int count) {
            return SUM.allocate(count);
        }

        @Override
        public Class<?> memoryType() {
            return SUM.memoryType();
        }
    }

    @Test
    void aRankThatIsGoneFailsThem() {
        try (Ranks ranks = Ranks.of(3)) {
            ranks.run(team -> {
                if (team.rank() == 2) {
                    team.device().close();
                    return;
                }
                List<Consumer<Collectives>> calls = List.of(
                        Collectives::barrier,
                        on -> on.bcast(new byte[8], 0, 8, 2),
                        on -> on.allgather(new byte[8], 0, 8, new byte[24], 0));
                for (Consumer<Collectives> call : calls) {
                    NonblockingCollectives collectives = new NonblockingCollectives(team, CollectiveOptions.standard());
                    Request request = collectives.start(call);
                    assertThatExceptionOfType(DeviceException.class)
                            .isThrownBy(request::await)
                            .withMessageContaining("rank 2");
                }
            });
        }
    }
}
