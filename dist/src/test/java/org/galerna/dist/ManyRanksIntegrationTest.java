package org.galerna.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.galerna.testkit.process.ChildProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;

/** Jobs of many more ranks than processors. */
class ManyRanksIntegrationTest {
    private static final Duration LONGEST = Duration.ofMinutes(6);

    @Test
    @Tag("slow")
    void everyRankOfManyThreadsTalksToEveryOther() throws InterruptedException {
        assertThat(memory("pairs", "-n", "160")).isLessThan(600);
    }

    @Test
    @Tag("slow")
    void everyRankOfTwoProcessesTalksToEveryOther() throws InterruptedException {
        assertThat(memory("pairs", "-n", "24", "--ranks-per-process", "12", "--device", "shmdev"))
                .isPositive();
    }

    @Test
    @Tag("slow")
    void everyRankOfFourProcessesTalksToEveryOtherOverTcp() throws InterruptedException {
        assertThat(memory("pairs", "-n", "16", "--ranks-per-process", "4", "--device", "niodev"))
                .isPositive();
    }

    @Test
    @Tag("slow")
    void everyRankTalksToEveryOtherThoughItKeepsFewConnections() throws InterruptedException {
        assertThat(memory(
                        "pairs",
                        "-n",
                        "24",
                        "--ranks-per-process",
                        "6",
                        "--device",
                        "niodev",
                        "-Dgalerna.tcp.connections=6"))
                .isPositive();
    }

    @Test
    @Tag("slow")
    void everyRankOfLargeProcessesTalksToEveryOtherOverTcp() throws InterruptedException {
        assertThat(memory("pairs", "-n", "64", "--ranks-per-process", "16", "--device", "niodev"))
                .isPositive();
    }

    @Test
    @Tag("slow")
    void aThousandRanksOfFourProcessesTalkOverTcp() throws InterruptedException {
        assertThat(memory("all", "-n", "1000", "--ranks-per-process", "250", "--device", "niodev", "--yes"))
                .isLessThan(2048);
    }

    @Test
    @Tag("slow")
    void manyProcessesTalkToEachOtherAndLeaveNothing(@TempDir(factory = InMemory.class) Path folder)
            throws InterruptedException {
        assertThat(memory(
                        "pairs",
                        "-n",
                        "128",
                        "--procs",
                        "--device",
                        "shmdev",
                        "-J-Dgalerna.shm.folder=" + folder,
                        "-Dgalerna.shm.folder=" + folder))
                .isPositive();
        assertThat(folder).isEmptyDirectory();
    }

    /** A folder where shared memory is. */
    static final class InMemory implements TempDirFactory {
        @Override
        public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws IOException {
            return Files.createTempDirectory(Path.of("/dev/shm"), "galerna-test");
        }
    }

    @Test
    @Tag("slow")
    void aThousandRanksTalkToEachOther() throws InterruptedException {
        assertThat(memory("all", "-n", "1024", "-J-Xmx4g")).isLessThan(1536);
        assertThat(memory("pairs", "-n", "1024", "-J-Xmx4g")).isLessThan(3072);
    }

    @Test
    @Tag("slow")
    void fourThousandRanksWork() throws InterruptedException {
        assertThat(memory("few", "-n", "4096", "-J-Xmx4g", "--yes")).isPositive();
    }

    /** Runs the program. Returns the most memory that it has taken, in MiB. */
    private static long memory(String argument, String... options) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of("run"));
        command.addAll(List.of(options));
        command.addAll(List.of(
                "-cp",
                Path.of("target/test-classes").toAbsolutePath().toString(),
                ManyRanksProgram.class.getName(),
                argument));
        try (ChildProcess process = ChildProcess.start(GalernaCommand.of(command))) {
            int status = process.awaitExit(LONGEST);
            assertThat(status).as(process.out() + process.err()).isZero();
            return Long.parseLong(process.out().strip().replaceAll("passed with (\\d+) MiB", "$1"));
        }
    }
}
