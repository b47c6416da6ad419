package org.galerna.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.galerna.bench.report.CsvResults;
import org.galerna.bench.report.JsonReports;
import org.galerna.bench.report.Report;
import org.galerna.bench.report.Result;
import org.galerna.cli.Galerna.Ended;
import org.galerna.cli.options.Sizes;
import org.galerna.cli.usage.UsageException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BenchCommandTest {
    @TempDir
    private Path folder;

    private Galerna galerna;

    @BeforeEach
    void prepare() {
        galerna = new Galerna(folder);
    }

    @Test
    void aRunIsPrintedKeptAndShownAgain() throws Exception {
        isPrintedKeptAndShownAgain("mpi", "1", "galerna mpi 1", "unix 1", "cache line 1");
    }

    @Test
    @Tag("slow")
    void aRunAtSeveralLevelsAndSizesIsToo() throws Exception {
        isPrintedKeptAndShownAgain(
                "mpi,link",
                "1,4K",
                "galerna mpi 1",
                "galerna link 1",
                "unix 1",
                "cache line 1",
                "galerna mpi 4096",
                "galerna link 4096",
                "unix 4096",
                "array copy 4096");
    }

    private void isPrintedKeptAndShownAgain(String levels, String sizes, String... expected) throws Exception {
        Ended run = galerna.run(
                "bench",
                "latency",
                "--quick",
                "--repetitions",
                "2",
                "--sizes",
                sizes,
                "--level",
                levels,
                "--against",
                "unix",
                "--title",
                "a try",
                "--json",
                "run.json",
                "--csv",
                "run.csv",
                "--html",
                "run.html");
        assertThat(run.status()).as(run.errors()).isZero();
        assertThat(run.output()).contains("latency on 2 ranks, in µs", "galerna mpi", "/ unix");
        Report report = JsonReports.read(folder.resolve("run.json"));
        assertThat(report.title()).isEqualTo("a try");
        assertThat(report.command()).startsWith("galerna bench latency --quick").endsWith("--html run.html");
        assertThat(report.results())
                .extracting(result -> result.name() + " " + result.bytes())
                .containsExactly(expected);
        assertThat(report.results()).extracting(Result::repetitions).containsOnly(2);
        assertThat(report.results())
                .allSatisfy(result -> assertThat(result.rounds())
                        .hasSize(2)
                        .allSatisfy(round -> assertThat(round).isPositive())
                        .contains(result.best()));
        assertThat(CsvResults.read(folder.resolve("run.csv")))
                .usingRecursiveComparison()
                .ignoringFields("rounds")
                .isEqualTo(report.results());
        assertThat(folder.resolve("run.html")).content().contains("galerna mpi");

        Ended shown = galerna.run("bench", "report", "run.json", "run.json");
        assertThat(shown.status()).isZero();
        assertThat(shown.output().lines().filter(line -> line.startsWith("a try, ")))
                .hasSize(2);
        assertThat(shown.output()).contains(run.output().lines().limit(6).toList());

        Ended page = galerna.run("bench", "report", "run.json", "run.json", "--html", "both.html");
        assertThat(page.status()).as(page.errors()).isZero();
        assertThat(folder.resolve("both.html")).exists();
    }

    @Test
    void sizesAreNumbersUnitsAndRanges() {
        assertThat(Sizes.parse("--sizes", "1,8,64K")).containsExactly(1L, 8L, 65536L);
        assertThat(Sizes.parse("--sizes", "512..4k,1M")).containsExactly(512L, 1024L, 2048L, 4096L, 1L << 20);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1,", "-1", "1G", "1..", "0..8", "99999999999"})
    void otherSizesAreRefused(String text) {
        assertThatThrownBy(() -> Sizes.parse("--sizes", text)).isInstanceOf(UsageException.class);
    }
}
