package example.ranks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import mpi.Comm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import org.galerna.ranks.Ranks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Code of the caller as ranks. */
@Timeout(60)
class CodeTest {
    private static final AtomicInteger SHARED = new AtomicInteger();

    record Point(int x, String name) implements Serializable {}

    private static int sum(Intracomm comm, int mine) {
        int[] sum = {mine};
        comm.Allreduce(MPI.IN_PLACE, 0, sum, 0, 1, MPI.INT, MPI.SUM);
        return sum[0];
    }

    // ---- results

    @Test
    void resultsComeBackByRank() {
        assertThat(Ranks.of(4).call(Comm::Rank)).containsExactly(0, 1, 2, 3);
        assertThat(Ranks.of(1).call(Comm::Size)).containsExactly(1);
        assertThat(Ranks.of(3).call(world -> sum(world, world.Rank()))).containsExactly(3, 3, 3);
    }

    @Test
    void aJobThatHasNoRoomIsRefusedBeforeItBegins() {
        Ranks many = Ranks.of(1_000_000);
        assertThatThrownBy(() -> many.run(Intracomm::Barrier))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageMatching(
                        "1000000 ranks would take about 1335 GiB of memory \\(.* are free\\) and .* minutes to start");
        assertThatThrownBy(() -> many.procs().tryProgram(CodeTest.class))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("1000000 ranks would take about ");
    }

    @Test
    void aResultMayBeNull() {
        assertThat(Ranks.of(2).<String>call(world -> world.Rank() == 0 ? null : "one"))
                .containsExactly(null, "one");
    }

    @Test
    void theDescriptionOfAJobCanBeUsedAgain() {
        Ranks four = Ranks.of(4);
        four.run(Intracomm::Barrier);
        assertThat(four.call(Comm::Size)).containsExactly(4, 4, 4, 4);
    }

    @Test
    void staticFieldsAndCapturedObjectsAreShared() {
        SHARED.set(0);
        AtomicInteger captured = new AtomicInteger();
        Ranks.of(4).run(world -> {
            SHARED.incrementAndGet();
            captured.addAndGet(world.Rank());
        });
        assertThat(SHARED).hasValue(4);
        assertThat(captured).hasValue(6);
    }

    @Test
    void objectsOfTheCallersClassesTravel() {
        List<Point> points = Ranks.of(2).call(world -> {
            Object[] box = {new Point(world.Rank(), "p")};
            world.Sendrecv_replace(box, 0, 1, MPI.OBJECT, 1 - world.Rank(), 1, 1 - world.Rank(), 1);
            return (Point) box[0];
        });
        assertThat(points).containsExactly(new Point(1, "p"), new Point(0, "p"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"smdev", "niodev", "shmdev"})
    void everyDeviceWorks(String device) {
        assertThat(Ranks.of(3).device(device).call(world -> sum(world, 1))).containsExactly(3, 3, 3);
    }

    // ---- class MPI

    @Test
    void commWorldMeansTheRankOfTheThread() {
        List<Integer> ranks = Ranks.of(4).call(world -> {
            int[] token = {MPI.COMM_WORLD.Rank()};
            MPI.COMM_WORLD.Sendrecv_replace(token, 0, 1, MPI.INT, (world.Rank() + 1) % 4, 7, (world.Rank() + 3) % 4, 7);
            assertThat(sum(MPI.COMM_WORLD, 1)).isEqualTo(4);
            assertThat(MPI.COMM_SELF.Size()).isEqualTo(1);
            assertThat(MPI.Initialized()).isTrue();
            assertThat(Comm.Compare(MPI.COMM_WORLD, world)).isEqualTo(MPI.IDENT);
            return token[0];
        });
        assertThat(ranks).containsExactly(3, 0, 1, 2);
    }

    @Test
    void everyCallOnCommWorldIsOneOfTheRanks() {
        Ranks.of(4).run(world -> {
            Intracomm half = MPI.COMM_WORLD.Split(world.Rank() % 2, 0);
            assertThat(half.Size()).isEqualTo(2);
            Intracomm copy = (Intracomm) MPI.COMM_WORLD.clone();
            assertThat(sum(copy, 1)).isEqualTo(4);
            copy.Free();
            assertThat(MPI.COMM_WORLD.Create_cart(new int[] {2, 2}, new boolean[2], false)
                            .Size())
                    .isEqualTo(4);
            var pair = MPI.COMM_WORLD.Create_intercomm(half, 0, 1 - world.Rank() % 2, 9);
            assertThat(pair.Remote_size()).isEqualTo(2);
            int[] box = {world.Rank()};
            var receive = MPI.COMM_WORLD.Irecv(new int[1], 0, 1, MPI.INT, (world.Rank() + 1) % 4, 3);
            MPI.COMM_WORLD.Send(box, 0, 1, MPI.INT, (world.Rank() + 3) % 4, 3);
            receive.Wait();
            MPI.COMM_WORLD.Ibarrier().Wait();
            assertThat(MPI.COMM_WORLD.Iprobe(MPI.ANY_SOURCE, 99)).isNull();
        });
    }

    @Test
    void codeMayInitializeAndFinalizeByItself() {
        List<Integer> sizes = Ranks.of(3).call(world -> {
            String[] rest = MPI.Init(new String[] {"argument"});
            assertThat(rest).containsExactly("argument");
            int size = MPI.COMM_WORLD.Size();
            MPI.COMM_WORLD.Barrier();
            MPI.Finalize();
            assertThat(MPI.Finalized()).isTrue();
            return size;
        });
        assertThat(sizes).containsExactly(3, 3, 3);
        assertThatThrownBy(() -> Ranks.of(2).run(world -> {
                    MPI.Init(null);
                    MPI.Init(null);
                }))
                .hasMessageContaining("MPI has been initialized already");
    }

    @Test
    void threadsThatARankStartsKnowIt() {
        List<List<Integer>> seen = Ranks.of(3).call(world -> {
            List<Integer> ranks = new ArrayList<>();
            Thread platform = new Thread(() -> ranks.add(MPI.COMM_WORLD.Rank()));
            platform.start();
            platform.join();
            Thread.ofVirtual().start(() -> ranks.add(MPI.COMM_WORLD.Rank())).join();
            try (ExecutorService pool = Executors.newFixedThreadPool(1)) {
                ranks.add(pool.submit(() -> MPI.COMM_WORLD.Rank()).get());
            }
            try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
                ranks.add(pool.submit(() -> MPI.COMM_WORLD.Rank()).get());
            }
            return ranks;
        });
        assertThat(seen).containsExactly(List.of(0, 0, 0, 0), List.of(1, 1, 1, 1), List.of(2, 2, 2, 2));
    }

    @Test
    void theCommonPoolUsesTheGivenCommunicator() {
        Ranks.of(2).run(world -> {
            int[] ranks = IntStream.range(0, 1000)
                    .parallel()
                    .map(i -> world.Rank())
                    .distinct()
                    .toArray();
            assertThat(ranks).containsExactly(world.Rank());
            Throwable of = CompletableFuture.supplyAsync(() -> catchThrowable(() -> MPI.COMM_WORLD.Rank()))
                    .get();
            // in a JVM with one processor these tasks get threads of their own
            if (of != null) {
                assertThat(of)
                        .isInstanceOf(MPIException.class)
                        .hasMessageContaining("the calling thread works for no rank");
            }
        });
    }

    @Test
    void outsideOfJobsClassMpiIsAsItWas() {
        Ranks.of(2).run(Intracomm::Barrier);
        assertThatThrownBy(() -> MPI.COMM_WORLD.Rank())
                .hasMessageContaining(
                        MPI.Finalized() ? "MPI.Finalize has been called" : "MPI.Init has not been called");
        MPI.Init(new String[0]);
        try {
            assertThat(MPI.COMM_WORLD.Size()).isEqualTo(1);
            assertThat(Ranks.of(3).call(world -> MPI.COMM_WORLD.Size())).containsExactly(3, 3, 3);
            assertThat(MPI.COMM_WORLD.Size()).isEqualTo(1);
        } finally {
            MPI.Finalize();
        }
        assertThatThrownBy(() -> MPI.COMM_WORLD.Rank()).hasMessageContaining("MPI.Finalize has been called");
        assertThat(Ranks.of(2).call(world -> MPI.COMM_WORLD.Rank())).containsExactly(0, 1);
    }

    @Test
    void anyThreadMayStartRanks() throws Exception {
        try (ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
            assertThat(virtual.submit(() -> Ranks.of(2).call(world -> MPI.COMM_WORLD.Rank()))
                            .get())
                    .containsExactly(0, 1);
        }
        assertThat(CompletableFuture.supplyAsync(() -> Ranks.of(2).call(world -> MPI.COMM_WORLD.Rank()))
                        .get())
                .containsExactly(0, 1);
    }

    // ---- jobs at once

    @Test
    void jobsRunAtTheSameTime() throws Exception {
        try (ExecutorService pool = Executors.newFixedThreadPool(4)) {
            var jobs = IntStream.range(1, 9)
                    .mapToObj(ranks -> pool.submit(() -> {
                        for (int round = 0; round < 10; round++) {
                            assertThat(Ranks.of(ranks).call(world -> sum(MPI.COMM_WORLD, world.Rank())))
                                    .containsOnly(ranks * (ranks - 1) / 2);
                        }
                        return true;
                    }))
                    .toList();
            for (var job : jobs) {
                assertThat(job.get()).isTrue();
            }
        }
    }

    @Test
    void aRankStartsRanks() {
        List<List<Integer>> nested = Ranks.of(2).call(world -> {
            List<Integer> inner = Ranks.of(3).call(own -> 10 * sum(MPI.COMM_WORLD, 1) + MPI.COMM_WORLD.Rank());
            assertThat(MPI.COMM_WORLD.Size()).isEqualTo(2);
            world.Barrier();
            return inner;
        });
        assertThat(nested).containsExactly(List.of(30, 31, 32), List.of(30, 31, 32));
    }

    @Test
    void aPoolThatARankHasFilledGoesOn() throws Exception {
        ExecutorService pool = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            return thread;
        });
        CountDownLatch released = new CountDownLatch(1);
        var outlasting = Ranks.of(1)
                .call(world -> pool.submit(() -> {
                    released.await();
                    return 5;
                }))
                .getFirst();
        released.countDown();
        assertThat(outlasting.get()).isEqualTo(5);
        // the thread no longer works for the rank that has started it
        assertThat(pool.submit(() -> catchThrowable(() -> MPI.COMM_WORLD.Rank()))
                        .get())
                .isNotNull();
        pool.shutdown();
    }

    // ---- wrong use

    @Test
    void wrongUseIsRefused() {
        assertThatThrownBy(() -> Ranks.of(0)).hasMessage("a job needs at least one rank, not 0");
        assertThatThrownBy(() -> Ranks.of(1).within(Duration.ZERO)).hasMessageContaining("time limit must be positive");
        assertThatThrownBy(() -> Ranks.of(1).procs().run(Intracomm::Barrier)).hasMessageContaining("program(...)");
        assertThatThrownBy(() -> Ranks.of(1).jvmOptions("-Xmx1g").run(Intracomm::Barrier))
                .hasMessageContaining("procs()");
        assertThatThrownBy(() -> Ranks.of(2).device("carrierpigeon"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("there is no device \"carrierpigeon\", only smdev");
        assertThatThrownBy(() -> Ranks.of(1).tryRun(Intracomm::Barrier).output(0))
                .hasMessageContaining("captured()");
    }
}
