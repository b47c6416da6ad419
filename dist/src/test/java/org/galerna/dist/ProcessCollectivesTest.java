package org.galerna.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.galerna.launch.process.ProcessJob;
import org.galerna.launch.report.JobResult;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Fault.Where;
import org.galerna.testkit.process.RankProcesses;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every collective by every algorithm on ranks that are processes. */
@Tag("slow")
class ProcessCollectivesTest {
    private static final Duration LONGEST = Duration.ofMinutes(9);

    @ParameterizedTest
    @Timeout(600)
    @Fault(
            value = 25,
            on = {Where.SHM, Where.TCP})
    @CsvSource({"shmdev, 2", "niodev, 2", "shmdev, 3", "niodev, 3", "shmdev, 5", "niodev, 5", "unixdev, 3"})
    void dataArriveWhereTheyBelong(String device, int size) throws Exception {
        List<String> options = List.of(
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx128m",
                "-Dgalerna.peer.timeout=60",
                "-Dgalerna.device=" + device);
        try (RankProcesses job = RankProcesses.start(size, options, CollectivesProgram.class)) {
            for (int rank = 0; rank < size; rank++) {
                assertThat(job.rank(rank).awaitExit(LONGEST))
                        .as("rank %s: %s", rank, job.rank(rank).err())
                        .isZero();
                assertThat(job.rank(rank).out()).containsPattern("\\d{3,} checks of \\d{2,} algorithms");
            }
        }
    }

    /** Ranks that share a heap, and others: two and two, and one that is alone in its process. */
    @ParameterizedTest
    @Timeout(600)
    @ValueSource(ints = {4, 5})
    void dataArriveWhereTheyBelongBetweenProcessesOfSeveralRanks(int size) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        JobResult result = ProcessJob.builder()
                .ranks(size)
                .ranksPerProcess(2)
                .classPath(Path.of("target", "test-classes").toAbsolutePath().toString())
                .mainClass(CollectivesProgram.class.getName())
                .jvmOptions(List.of("-Xmx256m", "-Dgalerna.peer.timeout=60"))
                .timeout(LONGEST)
                .standardInput(InputStream.nullInputStream())
                .standardOutput(out)
                .standardError(err)
                .build()
                .run();
        assertThat(result.status())
                .as("%s%s", result.report(), err.toString(StandardCharsets.UTF_8))
                .isZero();
        assertThat(out.toString(StandardCharsets.UTF_8).lines())
                .hasSize(size)
                .allSatisfy(line -> assertThat(line).containsPattern("\\d{3,} checks of \\d{2,} algorithms"));
    }
}
