package org.galerna.link.wireup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.galerna.link.CommunicationException;
import org.galerna.link.Wireup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InProcessWireupTest {
    private static List<InProcessWireup> job(int size) {
        return InProcessWireup.create(size, (rank, status, reason) -> {});
    }

    private static void onEveryRank(List<InProcessWireup> job, java.util.function.Consumer<Wireup> program)
            throws Exception {
        try (ExecutorService threads =
                Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            List<Future<?>> ranks = new ArrayList<>();
            for (Wireup wireup : job) {
                ranks.add(threads.submit(() -> program.accept(wireup)));
            }
            for (Future<?> rank : ranks) {
                rank.get();
            }
        }
    }

    @Test
    void knowsRankAndSizeAndOneNameForTheJob() {
        List<InProcessWireup> job = job(3);
        List<InProcessWireup> other = job(1);
        assertThat(job).extracting(Wireup::rank).containsExactly(0, 1, 2);
        assertThat(job).extracting(Wireup::size).containsOnly(3);
        assertThat(job).extracting(Wireup::job).containsOnly(job.get(0).job());
        assertThat(other.get(0).job()).isNotEqualTo(job.get(0).job());
    }

    @Test
    void refusesJobsWithoutRanks() {
        assertThatIllegalArgumentException().isThrownBy(() -> job(0)).withMessageContaining("at least one rank");
        assertThatIllegalArgumentException().isThrownBy(() -> job(-1));
    }

    @Test
    void valuesAreVisibleAfterTheFence() throws Exception {
        onEveryRank(job(8), wireup -> {
            for (int round = 0; round < 200; round++) {
                wireup.put("round", new byte[] {(byte) wireup.rank(), (byte) round});
                wireup.fence();
                for (int rank = 0; rank < wireup.size(); rank++) {
                    assertThat(wireup.get(rank, "round")).containsExactly((byte) rank, (byte) round);
                }
                wireup.fence();
            }
        });
    }

    @Test
    void nobodyPassesAFenceBeforeEverybodyHasArrived() throws Exception {
        AtomicInteger arrived = new AtomicInteger();
        onEveryRank(job(5), wireup -> {
            for (int round = 1; round <= 500; round++) {
                arrived.incrementAndGet();
                wireup.fence();
                assertThat(arrived.get()).isGreaterThanOrEqualTo(round * 5);
            }
        });
    }

    @Test
    void copiesValuesBothWays() {
        InProcessWireup wireup = job(1).get(0);
        byte[] value = {1, 2};
        wireup.put("key", value);
        value[0] = 9;
        wireup.get(0, "key")[1] = 9;
        assertThat(wireup.get(0, "key")).containsExactly(1, 2);
    }

    @Test
    void carriesTheLargestValueAndRefusesALargerOne() {
        InProcessWireup wireup = job(1).get(0);
        wireup.put("key", new byte[Wireup.MAXIMUM_VALUE]);
        assertThat(wireup.get(0, "key")).hasSize(Wireup.MAXIMUM_VALUE);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> wireup.put("key", new byte[Wireup.MAXIMUM_VALUE + 1]))
                .withMessageContaining("key")
                .withMessageContaining(String.valueOf(Wireup.MAXIMUM_VALUE + 1));
    }

    @Test
    void namesRankAndKeyOfAValueThatIsMissing() {
        List<InProcessWireup> job = job(2);
        job.get(0).put("here", new byte[0]);
        assertThatExceptionOfType(CommunicationException.class)
                .isThrownBy(() -> job.get(0).get(1, "here"))
                .withMessageContaining("rank 1")
                .withMessageContaining("here");
    }

    @Test
    void aFenceFailsWhenARankEndsWithoutArriving() throws Exception {
        List<InProcessWireup> job = job(3);
        onEveryRank(job, wireup -> {
            if (wireup.rank() == 2) {
                wireup.close();
                wireup.close();
            } else {
                assertThatExceptionOfType(CommunicationException.class)
                        .isThrownBy(wireup::fence)
                        .withMessageContaining("rank 2 has ended");
            }
        });
    }

    @Test
    void aRankMayEndRightAfterAFence() throws Exception {
        for (int round = 0; round < 300; round++) {
            onEveryRank(job(3), wireup -> {
                wireup.fence();
                wireup.close();
            });
        }
    }

    @Test
    void anInterruptedRankHasNotArrived() throws Exception {
        List<InProcessWireup> job = job(2);
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread interrupted = Thread.ofPlatform().start(() -> {
            try {
                job.get(0).fence();
            } catch (CommunicationException expected) {
                thrown.set(expected);
            }
        });
        while (interrupted.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        interrupted.interrupt();
        interrupted.join();
        assertThat(thrown.get()).hasMessageContaining("rank 0 was interrupted");

        AtomicInteger arrived = new AtomicInteger();
        onEveryRank(job, wireup -> {
            if (wireup.rank() == 1) {
                wireup.fence();
                assertThat(arrived).hasValue(1);
            } else {
                for (int look = 0; look < 1000; look++) {
                    Thread.yield(); // rank 1 has every chance to pass too early
                }
                arrived.incrementAndGet();
                wireup.fence();
            }
        });
    }

    @Test
    void handsAbortAndMonitorsToTheLauncher() {
        List<String> aborts = new ArrayList<>();
        List<InProcessWireup> job =
                InProcessWireup.create(2, (rank, status, reason) -> aborts.add(rank + " " + status + " " + reason));
        job.get(1).abort(3, "no input");
        assertThat(aborts).containsExactly("1 3 no input");
        assertThat(job.get(0).monitors()).isEmpty();
    }
}
