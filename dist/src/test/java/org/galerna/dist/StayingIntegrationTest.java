package org.galerna.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.galerna.testkit.process.ChildProcess;
import org.galerna.testkit.process.JobManagers;
import org.galerna.testkit.process.JobManagers.Kind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Ranks that leave tell those that stay, which they have never talked to. */
class StayingIntegrationTest {
    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final int RANKS = 5;

    @Test
    void ranksThatStayHearWhoHasLeftAndGoOn() throws InterruptedException {
        List<String> command = GalernaCommand.of(List.of("run", "-n", String.valueOf(RANKS), "--procs"));
        command.addAll(List.of("--device", "niodev", "-XX:TieredStopAtLevel=1", "-cp"));
        command.add(Path.of("target/test-classes").toAbsolutePath().toString());
        command.add(StayingProgram.class.getName());
        try (ChildProcess process = ChildProcess.start(command)) {
            process.endInput();
            int status = process.awaitExit(LONGEST);
            assertThat(status).as(() -> process.out() + process.err()).isZero();
            assertThat(process.out())
                    .contains("rank 0 has talked", "rank 1 has talked")
                    .containsPattern("rank 0 of 5, .* because rank 4 is gone: it has left the job")
                    .containsPattern("rank 1 of 5, .* because rank 4 is gone: it has left the job");
        }
    }

    /** No launcher of Galerna tells which ranks leave: they gather, and those that stay are called. */
    @Test
    @Tag("slow")
    void underAManagerThoseThatStayHearItToo() throws Exception {
        int size = 12;
        try (JobManagers managers = new JobManagers();
                ChildProcess process = managers.launcher(Kind.MPIEXEC)
                        .start(
                                size,
                                List.of(
                                        Path.of(System.getProperty("java.home"), "bin", "java")
                                                .toString(),
                                        "--enable-native-access=ALL-UNNAMED",
                                        "-XX:TieredStopAtLevel=1",
                                        "-Dgalerna.device=niodev",
                                        "-cp",
                                        Path.of("target/galerna.jar").toAbsolutePath()
                                                + File.pathSeparator
                                                + Path.of("target/test-classes").toAbsolutePath(),
                                        StayingProgram.class.getName()))) {
            int status = process.awaitExit(LONGEST);
            assertThat(status).as(() -> process.out() + process.err()).isZero();
            assertThat(process.out())
                    .contains("rank 0 has talked", "rank 1 has talked")
                    .containsPattern("rank 0 of 12, .* because rank 11 is gone: it has left the job")
                    .containsPattern("rank 1 of 12, .* because rank 11 is gone: it has left the job");
        }
    }
}
