package org.galerna.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.galerna.bench.report.CsvResults;
import org.galerna.bench.report.JsonReports;
import org.galerna.bench.report.Ratio;
import org.galerna.bench.report.Report;
import org.galerna.bench.report.Result;
import org.galerna.testkit.process.ChildProcess;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar takes part as an older one of itself. Which of the two is faster is chance, and not tested. */
class BaselineIntegrationTest {
    private static final Path JAR = Path.of("target/galerna.jar").toAbsolutePath();
    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

    @TempDir
    private Path folder;

    private Path older;

    @BeforeEach
    void copyJar() throws Exception {
        older = Files.copy(JAR, folder.resolve("older.jar"));
    }

    private String bench(Duration limit, String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of(JAVA.toString(), "-jar", JAR.toString(), "bench"));
        command.addAll(List.of(words));
        command.addAll(List.of("--baseline", older.toString()));
        try (ChildProcess run = ChildProcess.start(command)) {
            int status = run.awaitExit(limit);
            assertThat(status).as(run.err()).isLessThanOrEqualTo(1);
            assertThat(run.out().contains("<- worse")).isEqualTo(status == 1);
            assertThat(run.err()).contains("note: the baseline is " + older, "note: ranks");
            return run.out();
        }
    }

    private static void hasRatios(List<Result> results) {
        assertThat(results)
                .filteredOn(result -> result.system().equals("galerna"))
                .isNotEmpty()
                .allSatisfy(result -> {
                    Ratio ratio = result.baseline();
                    assertThat(ratio)
                            .as(result.name() + " " + result.benchmark())
                            .isNotNull();
                    assertThat(ratio.lowerBound()).isPositive().isLessThanOrEqualTo(ratio.median());
                    assertThat(ratio.upperBound()).isGreaterThanOrEqualTo(ratio.median());
                });
    }

    @Test
    @Tag("slow")
    void threadsAreComparedInTableCsvJsonAndPage() throws Exception {
        Path json = folder.resolve("run.json");
        Path csv = folder.resolve("run.csv");
        Path html = folder.resolve("run.html");
        String table = bench(
                Duration.ofMinutes(4),
                "rate",
                "--quick",
                "--repetitions",
                "2",
                "--json",
                json.toString(),
                "--csv",
                csv.toString(),
                "--html",
                html.toString());
        assertThat(table).contains("new / old", "galerna mpi", "baseline mpi");
        Report report = JsonReports.read(json);
        assertThat(report.results()).extracting(Result::name).containsExactly("galerna mpi", "baseline mpi");
        assertThat(report.versions().get("baseline")).contains(older.toString());
        hasRatios(report.results());
        assertThat(CsvResults.read(csv))
                .usingRecursiveComparison()
                .ignoringFields("rounds")
                .isEqualTo(report.results());
        assertThat(html).content().contains("Baseline, mpi", "title=\"new / old\"");
    }

    @Test
    @Tag("slow")
    void everythingIsComparedInTheShortForm() throws Exception {
        Path json = folder.resolve("run.json");
        String tables = bench(Duration.ofMinutes(30), "all", "--quick", "--json", json.toString());
        List<Result> results = JsonReports.read(json).results();
        assertThat(results)
                .extracting(Result::name)
                .contains(
                        "galerna mpi",
                        "galerna mpi shmdev",
                        "galerna mpi niodev",
                        "galerna messaging shm",
                        "galerna messaging tcp",
                        "galerna sockets");
        assertThat(tables).contains("latency on", "rate on", "barrier on", "bcast on", "allreduce on", "echo on");
        hasRatios(results);
    }
}
