package org.galerna.link.tcp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.galerna.testkit.Fault;
import org.galerna.testkit.process.ChildProcess;
import org.galerna.testkit.process.RankProcesses;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The key of a job is in nothing that others may see of its processes. */
class SecretsTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String KEY = "galerna.key";

    @Test
    @Fault({31, 32})
    void theKeyIsInNoArgumentNoVariableAndNoLog(@TempDir Path folder) throws Exception {
        Path logging = Files.writeString(folder.resolve("logging.properties"), """
                handlers = java.util.logging.ConsoleHandler
                .level = ALL
                java.util.logging.ConsoleHandler.level = ALL
                """);
        List<String> options = List.of(
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx256m",
                "-D" + Security.PROPERTY + "=true",
                "-Djava.util.logging.config.file=" + logging);
        try (RankProcesses job = RankProcesses.start(2, options, RankPrograms.PingPong.class, "niodev")) {
            job.rank(0).awaitOut(out -> out.contains("round 1."), LONG);
            byte[] key = job.published(0, KEY).orElseThrow();
            assertThat(key).hasSize(32);
            for (int rank = 0; rank < 2; rank++) {
                String process = ofProcess(job.rank(rank));
                assertThat(process).contains("PingPong"); // so it is what it should be
                doesNotShow(process, key);
            }
            job.rank(1).signal("KILL"); // what is said about a loss is looked at too
            job.rank(0).awaitOut(out -> out.contains("failed"), LONG);
            assertThat(job.rank(0).awaitExit(LONG)).isZero();
            for (int rank = 0; rank < 2; rank++) {
                doesNotShow(job.rank(rank).out() + job.rank(rank).err(), key);
            }
        }
    }

    /** Its arguments and its environment, which the system shows to every process of the user. */
    private static String ofProcess(ChildProcess process) throws Exception {
        Path proc = Path.of("/proc", String.valueOf(process.pid()));
        return new String(Files.readAllBytes(proc.resolve("cmdline")), ISO_8859_1)
                + new String(Files.readAllBytes(proc.resolve("environ")), ISO_8859_1);
    }

    private static void doesNotShow(String text, byte[] key) {
        byte[] start = Arrays.copyOf(key, 6); // less would be shown already
        String base64 = Base64.getEncoder().encodeToString(start);
        assertThat(text)
                .doesNotContain(new String(start, ISO_8859_1))
                .doesNotContainIgnoringCase(HexFormat.of().formatHex(start))
                .doesNotContain(base64)
                .doesNotContain(List.of(start[0], start[1], start[2], start[3])
                        .toString()
                        .replace("]", ""));
    }
}
