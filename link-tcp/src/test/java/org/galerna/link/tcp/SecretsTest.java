package org.galerna.link.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.galerna.link.tcp.wire.Security;
import org.galerna.testkit.Fault;
import org.galerna.testkit.process.RankProcesses;
import org.galerna.testkit.process.Secrets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The key of a job is in nothing that others may see of its processes. */
class SecretsTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String KEY = "galerna.key";

    @Test
    @Fault({31, 32})
    void theKeyIsInNoArgumentNoVariableAndNoLog(@TempDir Path folder) throws Exception {
        List<String> options = List.of(
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx256m",
                "-D" + Security.PROPERTY + "=true",
                Secrets.logEverything(folder));
        try (RankProcesses job = RankProcesses.start(2, options, RankPrograms.PingPong.class, "niodev")) {
            job.rank(0).awaitOut(out -> out.contains("round 1."), LONG);
            byte[] key = job.published(0, KEY).orElseThrow();
            assertThat(key).hasSize(32);
            for (int rank = 0; rank < 2; rank++) {
                String process = Secrets.shownOf(job.rank(rank));
                assertThat(process).contains("PingPong"); // so it is what it should be
                Secrets.assertNotIn(process, key);
            }
            job.rank(1).signal("KILL"); // what is said about a loss is looked at too
            job.rank(0).awaitOut(out -> out.contains("failed"), LONG);
            assertThat(job.rank(0).awaitExit(LONG)).isZero();
            for (int rank = 0; rank < 2; rank++) {
                Secrets.assertNotIn(job.rank(rank).out() + job.rank(rank).err(), key);
            }
        }
    }
}
