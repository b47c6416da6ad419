package org.galerna.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.galerna.link.CommunicationException;
import org.galerna.link.Wireup;
import org.galerna.link.wireup.Wireups;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RankProcessesTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @ParameterizedTest
    @ValueSource(strings = {"throw", "sleep"})
    void nobodyWaitsForARankThatEndsBeforeItArrives(String way) throws Exception {
        try (RankProcesses job = RankProcesses.start(2, List.of(), Arriving.class, way)) {
            job.rank(1).awaitOut(out -> out.contains("one fence"), LIMIT);
            if (way.equals("sleep")) {
                job.rank(1).signal("KILL");
            }
            assertThat(job.rank(0).awaitExit(LIMIT)).isZero();
            assertThat(job.rank(0).out()).contains("rank 1 has ended without arriving");
        }
    }

    /** Two ranks that meet once; the first one waits for the second one again. */
    static final class Arriving {
        public static void main(String[] arguments) throws InterruptedException {
            Wireup wireup = Wireups.ofProcess().orElseThrow();
            wireup.fence();
            System.out.println("one fence");
            if (wireup.rank() == 0) {
                try {
                    wireup.fence();
                } catch (CommunicationException ended) {
                    System.out.println(ended.getMessage());
                }
                return;
            }
            switch (arguments[0]) {
                case "throw" -> throw new IllegalStateException("before MPI.Init");
                default -> new CountDownLatch(1).await();
            }
        }
    }
}
