package org.galerna.bench.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.galerna.bench.report.KeptPicture;
import org.galerna.bench.report.ThisMachine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What jobs of more and more ranks take, in pictures. */
class ScaledJobsTest {
    private static final Path DOCS = Path.of("../docs");

    @TempDir
    Path folder;

    private static ScaledJob job(int ranks) {
        return new ScaledJob(
                ranks,
                0.001 * ranks,
                500,
                600,
                0, // where the system does not say it
                List.of(
                        new ScaledJob.Call("barrier", 0, 3.0 * ranks * ranks),
                        new ScaledJob.Call("bcast", 8, Math.sqrt(ranks))));
    }

    private static ScaledJobs jobs(int... ranks) {
        return new ScaledJobs(
                Instant.EPOCH,
                "galerna model",
                ThisMachine.describe(),
                IntStream.of(ranks).mapToObj(ScaledJobsTest::job).toList());
    }

    @Test
    void linesGrowToThePowerThatTheirFiguresSay() throws IOException {
        assertThat(jobs(2, 4, 8, 16).draw(folder)).isEqualTo("""
                start.svg: grows with the ranks to the power of: wire-up 1.00
                memory.svg: grows with the ranks to the power of: resident after wire-up 0.00, resident at the end 0.00
                collectives.svg: grows with the ranks to the power of: barrier 2.00, bcast 0.50
                """);
        assertThat(Files.readString(folder.resolve("start.svg"))).contains("wire-up on 16 ranks: 16.00 ms");
        assertThat(Files.readString(folder.resolve("memory.svg"))).doesNotContain("objects in use");
    }

    @Test
    void oneJobIsDrawnAndDoesNotGrow() throws IOException {
        assertThat(jobs(4).draw(folder)).isEqualTo("""
                start.svg
                memory.svg
                collectives.svg
                """);
        assertThat(Files.readString(folder.resolve("start.svg"))).contains("wire-up on 4 ranks: 4.000 ms");
    }

    @Test
    void whatIsWrittenIsRead() throws IOException {
        Path file = folder.resolve("jobs.json");
        ScaledJobs written = jobs(2, 3);
        written.write(file);
        assertThat(ScaledJobs.read(file)).isEqualTo(written);
    }

    /** The pages show what their report says, drawn as it is drawn now. */
    @ParameterizedTest
    @ValueSource(strings = {"start.svg", "memory.svg", "collectives.svg"})
    void picturesOfPagesAreThoseOfTheirReport(String name) throws IOException {
        ScaledJobs.read(DOCS.resolve("reports/many-ranks-two-cores.json")).draw(folder);
        KeptPicture.check(name, folder.resolve(name));
    }
}
