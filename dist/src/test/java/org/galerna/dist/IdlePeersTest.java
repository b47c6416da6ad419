package org.galerna.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.galerna.testkit.process.RankProcesses;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many ranks that are processes are connected only where they talk. */
@Tag("slow")
class IdlePeersTest {
    /** So many virtual machines take minutes to start where there are few processors. */
    private static final Duration LONGEST = Duration.ofMinutes(18);

    /** Bytes that connections of a rank lend each other, however many they are. */
    private static final int SHARED = 512 * 1024;

    @ParameterizedTest
    @Timeout(600)
    @ValueSource(strings = {"shmdev", "niodev"})
    void sixteenRanksConnectOnlyWhereTheyTalkAndIdlePeersCostLittle(String device) throws Exception {
        run(16, device);
    }

    @ParameterizedTest
    @Tag("slow")
    @Timeout(1200)
    @ValueSource(strings = {"shmdev", "niodev"})
    void sixtyFourRanksConnectOnlyWhereTheyTalkAndIdlePeersCostLittle(String device) throws Exception {
        run(64, device);
    }

    private static void run(int size, String device) throws Exception {
        List<String> options = List.of(
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx16m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-Dgalerna.peer.timeout=60",
                "-Dgalerna.device=" + device);
        try (RankProcesses job = RankProcesses.start(size, options, IdlePeersProgram.class, device)) {
            for (int rank = 0; rank < size; rank++) {
                assertThat(job.rank(rank).awaitExit(LONGEST))
                        .as("rank %s: %s", rank, job.rank(rank).err())
                        .isZero();
            }
            // over sockets each rank is connected to the next one besides, by which they watch each other
            long more = device.equals("niodev") ? 2 : 0;
            for (int rank = 1; rank < size; rank++) {
                assertThat(said(job.rank(rank).out(), "connections"))
                        .as("connections of rank %s", rank)
                        .isBetween(1L, 1 + more);
            }
            assertThat(said(job.rank(0).out(), "connections")).isBetween(size - 1L, size - 1 + more);
            long each = said(job.rank(0).out(), "bytes");
            System.out.println(size + " ranks, " + device + ": " + each + " bytes for each idle peer");
            assertThat(each)
                    .as("bytes for each peer that was talked to once")
                    .isLessThan(8 * 1024 + SHARED / (size - 2));
        }
    }

    private static long said(String out, String what) {
        return out.lines()
                .filter(line -> line.startsWith(what + " "))
                .mapToLong(line -> Long.parseLong(line.substring(what.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no \"" + what + "\" in: " + out));
    }
}
