package org.galerna.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.galerna.applications.fdtd.RunSummary;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoTest {
    @TempDir
    Path folder;

    private final ByteArrayOutputStream output = new ByteArrayOutputStream();

    private int run(DemoOptions options) {
        return new Demo(options, new PrintStream(output, true, StandardCharsets.UTF_8)).run();
    }

    @Test
    @Tag("slow")
    void theHarbourIsCheckedOnTwoRanks() throws IOException {
        assertThat(run(new DemoOptions(Optional.empty(), folder, 2, List.of(2), Optional.empty(), true)))
                .isZero();
        assertThat(output.toString(StandardCharsets.UTF_8)).containsOnlyOnce("yes, bit for bit");
    }

    @Test
    void theHarbourRunsOutOfTheBoxAndIsCheckedOnEveryNumberOfRanks() throws IOException {
        Path results = folder.resolve("new folder");
        assertThat(run(new DemoOptions(Optional.empty(), results, 2, List.of(1, 4), Optional.empty(), true)))
                .isZero();
        String text = output.toString(StandardCharsets.UTF_8);
        assertThat(text.lines().filter(line -> line.endsWith("yes, bit for bit")))
                .hasSize(2);
        assertThat(text)
                .contains("Ping-pong between two ranks")
                .contains(results.resolve("field.png").toString());
        assertThat(results.resolve("table.txt")).content().contains("speed-up");
        try (var files = Files.list(results)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "harbour.properties",
                            "harbour.png",
                            "field.png",
                            "energy.csv",
                            "run.properties",
                            "table.txt",
                            "field.gif",
                            "frame-0001.png",
                            "frame-0002.png");
        }
        assertThat(Files.readAllLines(results.resolve("energy.csv")).getFirst())
                .isEqualTo("step,time [s],energy [J/m]");
        assertThat(RunSummary.read(results.resolve("run.properties")).ranks()).isEqualTo(4);
    }

    @Test
    void wrongParametersGiveStatus2() throws IOException {
        Path parameterFile = Files.writeString(folder.resolve("wrong.properties"), "grid.width = 5\n");
        assertThat(run(new DemoOptions(Optional.of(parameterFile), folder, 0, List.of(1), Optional.empty(), true)))
                .isEqualTo(2);
    }

    @Test
    void theTableShowsSpeedUpOverTheFewestRanksAndWhereARunDiffers() {
        String table = DemoReport.runs(
                12.5,
                List.of(
                        new CheckedRun(new RunSummary(4, 2, 2, 100, 10, 2.5, 8_000, 64_000_000), Optional.of("EZ")),
                        new CheckedRun(new RunSummary(1, 1, 1, 100, 10, 10.0, 0, 0), Optional.empty())));
        assertThat(table.lines().toList().get(1)).contains("12.50").contains("sequential");
        assertThat(table.lines().toList().get(2))
                .containsPattern("4\\s+2x2\\s+2\\.50\\s+4\\.00\\s+8000\\s+64\\.0\\s+NO: EZ");
        assertThat(table.lines().toList().get(3)).containsPattern("1\\s+1x1\\s+10\\.00\\s+1\\.00.*yes, bit for bit");
    }

    private static CheckedRun run(int ranks, double seconds) {
        return new CheckedRun(new RunSummary(ranks, ranks, 1, 100, 10, seconds, 0, 0), Optional.empty());
    }

    @Test
    void ranksThatShareProcessorsAreNamed() {
        assertThat(DemoReport.notes(List.of(run(1, 10), run(2, 5.1), run(4, 5.4)), 2))
                .isEqualTo("note: 4 ranks share 2 processors, so they cannot be faster than 2\n");
        assertThat(DemoReport.notes(List.of(run(1, 10), run(2, 11), run(4, 12)), 1))
                .isEqualTo("note: 2 and 4 ranks share 1 processor, so they cannot be faster than 1\n");
        assertThat(DemoReport.notes(List.of(run(1, 10), run(2, 5.1)), 2)).isEmpty();
    }

    @Test
    void aRunThatTookLongerOnMoreRanksHasAReason() {
        assertThat(DemoReport.notes(List.of(run(1, 10), run(2, 12), run(4, 13)), 2))
                .isEqualTo("note: 4 ranks share 2 processors, so they cannot be faster than 2\n"
                        + "note: 2 ranks took longer than 1: other programs were busy on this machine, or there is too"
                        + " little work for each rank\n");
    }
}
