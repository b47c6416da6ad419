package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.galerna.device.DeviceOptions;
import org.galerna.harness.Ranks;
import org.galerna.link.counters.JobReport;
import org.galerna.link.counters.RankReport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A receiver that does not receive makes its sender announce short messages; that is counted. */
class CreditStallTest {
    private static final int BYTES = 1000;
    private static final int MESSAGES = 200;
    private static final int CREDIT = 64 * 1024;

    @BeforeAll
    static void giveLittleCredit() {
        System.setProperty(DeviceOptions.EAGER_CREDIT, String.valueOf(CREDIT));
    }

    @AfterAll
    static void giveTheUsualCredit() {
        System.clearProperty(DeviceOptions.EAGER_CREDIT);
    }

    @Test
    void messagesThatFindNoCreditAreCounted() {
        CountDownLatch sent = new CountDownLatch(1);
        Ranks.run(2, (rank, size) -> {
            byte[] bytes = new byte[BYTES];
            if (rank == 0) {
                Request[] requests = new Request[MESSAGES];
                for (int each = 0; each < MESSAGES; each++) {
                    requests[each] = MPI.COMM_WORLD.Isend(bytes, 0, BYTES, MPI.BYTE, 1, 1);
                }
                RankReport.Peer stalled = peerOfRank0();
                assertThat(stalled.stalls())
                        .isBetween(MESSAGES - CREDIT / (long) BYTES, MESSAGES - CREDIT / (2L * BYTES));
                assertThat(stalled.announced()).isEqualTo(stalled.stalls());
                assertThat(stalled.announcedBytes()).isEqualTo(stalled.stalls() * BYTES);
                sent.countDown();
                Request.Waitall(requests);
                assertThat(peerOfRank0().sent().messages().getFirst()).isEqualTo(MESSAGES);
                assertThat(peerOfRank0().stalls()).isEqualTo(stalled.stalls());
            } else {
                assertThat(sent.await(1, TimeUnit.MINUTES)).isTrue();
                for (int each = 0; each < MESSAGES; each++) {
                    MPI.COMM_WORLD.Recv(bytes, 0, BYTES, MPI.BYTE, 0, 1);
                }
            }
        });
    }

    private static RankReport.Peer peerOfRank0() {
        long process = ProcessHandle.current().pid();
        try {
            return JobReport.all().stream()
                    .filter(job -> job.processes().contains(process))
                    .flatMap(job -> job.ranks().stream())
                    .filter(rank -> rank.rank() == 0 && rank.isRunning())
                    .flatMap(rank -> rank.peers().stream())
                    .filter(peer -> peer.peer() == 1)
                    .findFirst()
                    .orElseThrow();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
