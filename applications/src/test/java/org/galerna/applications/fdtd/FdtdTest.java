package org.galerna.applications.fdtd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import javax.imageio.ImageIO;
import org.galerna.applications.Progress;
import org.galerna.launch.ThreadJob;
import org.galerna.launch.report.JobResult;
import org.galerna.testkit.memdev.MemoryDeviceProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The program as it is, on ranks that are threads. */
class FdtdTest {
    @TempDir
    Path folder;

    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

    private JobResult run(int ranks, String... arguments) {
        return run(ThreadJob.builder(), ranks, arguments);
    }

    private JobResult run(ThreadJob.Builder job, int ranks, String... arguments) {
        return job.ranks(ranks)
                .mainClass(Fdtd.class.getName())
                .arguments(List.of(arguments))
                .standardInput(InputStream.nullInputStream())
                .standardOutput(output)
                .standardError(errors)
                .build()
                .run();
    }

    private Path box() throws IOException {
        return Files.writeString(folder.resolve("box.properties"), """
                grid.width = 97
                grid.height = 61
                grid.cell = 0.01
                steps = 230
                source.x = 30
                source.y = 20
                source.width = 4
                source.frequency = 2e9
                energy.interval = 9
                """);
    }

    /** The field that is only there to warm up is smaller than this one. */
    @Test
    void theSequentialRunWarmsUpWhereverTheSourceIs() throws IOException {
        Path parameterFile = Files.writeString(folder.resolve("wide.properties"), """
                grid.width = 420
                grid.height = 61
                grid.cell = 0.01
                steps = 3
                source.x = 378
                source.y = 20
                source.frequency = 2e9
                """);
        ReferenceRun run = ReferenceRun.run(
                Simulation.read(parameterFile), folder.resolve("energy.csv"), Progress.Mode.NONE, 0.01);
        assertThat(run.seconds()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 7})
    @Tag("slow")
    void everyOtherNumberOfRanksGivesTheSequentialResult(int ranks) throws IOException {
        everyNumberOfRanksGivesTheSequentialResult(ranks);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 6})
    void everyNumberOfRanksGivesTheSequentialResult(int ranks) throws IOException {
        Path parameterFile = box();
        Path result = folder.resolve("result");
        Path field = folder.resolve("field.bin");
        // the steps of the empty field that come first leave nothing behind, and are not counted
        assertThat(run(
                                ranks,
                                parameterFile.toString(),
                                result.toString(),
                                "--field",
                                field.toString(),
                                "--warm-up",
                                ranks % 2 == 0 ? "0.01" : "0")
                        .status())
                .as("%s%s", output, errors)
                .isZero();
        Path expectedEnergy = folder.resolve("expected.csv");
        ReferenceRun reference =
                ReferenceRun.run(Simulation.read(parameterFile), expectedEnergy, Progress.Mode.NONE, 0);
        assertThat(FieldFile.firstDifference(field, reference.solver(), 97, 61)).isEmpty();
        assertThat(result.resolve("energy.csv")).hasSameTextualContentAs(expectedEnergy);
        assertThat(Files.readAllLines(expectedEnergy)).hasSize(1 + (230 + 8) / 9);

        RunSummary summary = RunSummary.read(result.resolve("run.properties"));
        assertThat(summary.ranks()).isEqualTo(ranks);
        assertThat(summary.steps()).isEqualTo(230);
        Decomposition decomposition = Decomposition.of(97, 61, ranks);
        long borders = (decomposition.columns() - 1L) * decomposition.rows()
                + (decomposition.rows() - 1L) * decomposition.columns();
        assertThat(summary.messages()).isEqualTo(2 * borders * 230);
        long cells = (decomposition.columns() - 1L) * 61 + (decomposition.rows() - 1L) * 97;
        assertThat(summary.bytes()).isEqualTo(2 * cells * 230 * Double.BYTES);
        assertThat(ImageIO.read(result.resolve("field.png").toFile()).getWidth())
                .isEqualTo(97 * 7);
        assertThat(output.toString(StandardCharsets.UTF_8)).contains("97 by 61 cells, 230 steps on " + ranks);
        assertThat(errors.toString(StandardCharsets.UTF_8)).contains("100 % (230 of 230 steps)");
    }

    @Test
    void aDeviceThatMatchesByItselfGivesTheSequentialResult() throws IOException {
        Path parameterFile = box();
        Path result = folder.resolve("result");
        Path field = folder.resolve("field.bin");
        ThreadJob.Builder job = ThreadJob.builder().device(MemoryDeviceProvider.NAME);
        assertThat(run(job, 4, parameterFile.toString(), result.toString(), "--field", field.toString())
                        .status())
                .as("%s%s", output, errors)
                .isZero();
        Path expectedEnergy = folder.resolve("expected.csv");
        ReferenceRun reference =
                ReferenceRun.run(Simulation.read(parameterFile), expectedEnergy, Progress.Mode.NONE, 0);
        assertThat(FieldFile.firstDifference(field, reference.solver(), 97, 61)).isEmpty();
        assertThat(result.resolve("energy.csv")).hasSameTextualContentAs(expectedEnergy);
    }

    @Test
    void framesCoverTheWholeTime() throws IOException {
        Path result = Files.createDirectories(folder.resolve("result"));
        Files.createFile(result.resolve("frame-0009.png"));
        assertThat(run(
                                4,
                                box().toString(),
                                result.toString(),
                                "--frames",
                                "3",
                                "--warm-up",
                                "0.05",
                                "--progress",
                                "none")
                        .status())
                .isZero();
        try (var frames = Files.newDirectoryStream(result, "frame-*.png")) {
            assertThat(frames)
                    .extracting(file -> file.getFileName().toString())
                    .containsExactlyInAnyOrder("frame-0001.png", "frame-0002.png", "frame-0003.png");
        }
        assertThat(result.resolve("field.gif")).isNotEmptyFile();
        assertThat(errors.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void aWrongParameterEndsTheJobWithOneMessage(int ranks) throws IOException {
        Path parameterFile = box();
        Files.writeString(parameterFile, "courant = 0.8\n", StandardOpenOption.APPEND);
        assertThat(run(ranks, parameterFile.toString()).status()).isEqualTo(2);
        assertThat(errors.toString(StandardCharsets.UTF_8))
                .containsOnlyOnce("fdtd: ")
                .contains("line 10: courant")
                .doesNotContain("at org.galerna");
    }

    @Test
    void moreRanksThanCellsAreRefused() throws IOException {
        Path parameterFile = Files.writeString(folder.resolve("small.properties"), """
                grid.width = 8
                grid.height = 8
                grid.cell = 0.01
                steps = 3
                source.x = 3
                source.y = 3
                source.frequency = 1e9
                """);
        assertThat(run(11, parameterFile.toString()).status()).isEqualTo(2);
        assertThat(errors.toString(StandardCharsets.UTF_8)).contains("cannot be cut into 11 tiles");
    }

    @Test
    void anUnknownOptionIsRefused() throws IOException {
        assertThat(run(2, box().toString(), "--frame", "3").status()).isEqualTo(2);
        assertThat(errors.toString(StandardCharsets.UTF_8))
                .contains("unknown option --frame")
                .contains("usage:");
    }
}
