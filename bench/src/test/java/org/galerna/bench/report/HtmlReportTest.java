package org.galerna.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HtmlReportTest {
    private static final Machine MACHINE =
            new Machine("AMD EPYC", 2, "L1d 32 KiB, L2 1 MiB, L3 32 MiB", 24L << 30, "Linux 6.1", "OpenJDK 25");

    private static final TreeMap<String, String> VERSIONS =
            new TreeMap<>(Map.of("galerna", "0.1.0", "openmpi", "4.1.4", "aeron", "1.48.0"));

    private Path file;

    @BeforeEach
    void setUp(@TempDir Path folder) {
        file = folder.resolve("report.html");
    }

    @Test
    void theHeaderTellsWhatWasMeasuredAndHow() throws IOException {
        String page =
                page(report("Night run", List.of("aeron is left out: no Maven"), List.of(latency("galerna", 1, 0.1))));
        assertThat(page)
                .contains("<title>Night run</title>")
                .contains("2026-05-04 10:20 UTC")
                .contains("./galerna bench --against openmpi")
                .contains("AMD EPYC, 2 cores; L1d 32 KiB, L2 1 MiB, L3 32 MiB")
                .contains("24.0 GiB")
                .contains("Linux 6.1")
                .contains("OpenJDK 25")
                .contains("<dt>versions</dt><dd>Galerna 0.1.0; Aeron IPC 1.48.0; Open MPI, C 4.1.4</dd>")
                .contains("<li>aeron is left out: no Maven</li>");
    }

    @Test
    void manyNotesAreFolded() throws IOException {
        List<String> notes = List.of("one", "two", "three", "four", "five", "six");
        assertThat(page(report("Night run", notes, List.of())))
                .contains("<summary>6 notes", "<li>one</li>", "<li>six</li>");
        assertThat(page(report("Night run", notes.subList(0, 5), List.of()))).doesNotContain("<summary>");
    }

    @Test
    void everyResultAppears() throws IOException {
        List<Result> results = new ArrayList<>();
        double value = 1.01;
        for (String benchmark : List.of("latency", "bandwidth", "allreduce")) {
            for (int ranks : List.of(2, 4)) {
                for (String system : List.of("galerna", "openmpi", "mpich")) {
                    for (long bytes : List.of(8L, 65_536L)) {
                        results.add(result(system, "", benchmark, ranks, bytes, value));
                        value += 0.01;
                    }
                }
            }
        }
        String page = page(report("all", List.of(), results));
        assertThat(results)
                .allSatisfy(result -> assertThat(page)
                        .contains(
                                "data-series=\"%s\" data-run=0 data-bytes=%d data-low=%s data-high=%s data-value=%s>%s<"
                                        .formatted(
                                                result.name(),
                                                result.bytes(),
                                                result.lowerBound(),
                                                result.upperBound(),
                                                result.median(),
                                                Html.number(result.median())))
                        .contains("<td>" + Html.number(result.best()) + "</td>"));
        assertThat(page).containsOnlyOnce("<h2>Allreduce <small>4 ranks</small></h2>");
    }

    @Test
    void ratiosSayWhoIsAheadInWordsToo() throws IOException {
        String page = page(report(
                "ratios",
                List.of(),
                List.of(
                        result("galerna", "mpi", "latency", 2, 1, 1.0),
                        result("openmpi", "", "latency", 2, 1, 2.0),
                        result("aeron", "", "latency", 2, 1, 0.5),
                        result("mpich", "", "latency", 2, 1, 1.001))));
        assertThat(page)
                .contains("<th scope=col>Galerna, mpi is</th>")
                .contains("<td class=ahead>2.0 × faster</td>")
                .contains("<td class=behind>2.0 × slower</td>")
                .contains("<td class=unclear>about equal</td>")
                .contains("<td class=ahead>1 of 1</td>");
    }

    @Test
    void nobodyIsBehindALimit() throws IOException {
        assertThat(page(report(
                        "limits", List.of(), List.of(latency("galerna", 1, 1.5), latency("cache line", 1, 1.0)))))
                .contains("<td class=unclear>1.50 × limit</td>")
                .doesNotContain("class=overview");
    }

    @Test
    void columnsStandUnderTheirHeads() throws IOException {
        Result peer = new Result(
                "openmpi",
                "",
                "latency",
                2,
                1,
                0,
                Unit.MICROSECONDS,
                3.1,
                3.2,
                3.15,
                3.25,
                100,
                new TreeMap<>(),
                List.of());
        assertThat(page(report("columns", List.of(), List.of(latency("galerna", 1, 1.6), peer))))
                .contains("<th scope=col>median</th><th scope=col>Galerna is</th>"
                        + "<th scope=col>best</th><th scope=col>95 % interval</th>")
                .contains(">3.20</td><td class=ahead>2.0 × faster</td><td>3.10</td>"
                        + "<td title=\"100 repetitions\">3.15–3.25</td>");
    }

    @Test
    void moreIsAheadWhereMoreIsBetter() {
        Result fast = new Result(
                "galerna",
                "",
                "rate",
                2,
                8,
                64,
                Unit.MILLION_MESSAGES_PER_SECOND,
                30,
                29,
                28,
                30,
                10,
                new TreeMap<>(),
                List.of());
        Result slow = new Result(
                "openmpi",
                "",
                "rate",
                2,
                8,
                64,
                Unit.MILLION_MESSAGES_PER_SECOND,
                21,
                20,
                19,
                21,
                10,
                new TreeMap<>(),
                List.of());
        assertThat(Standing.of(fast, slow)).isEqualTo(Standing.AHEAD);
        assertThat(Standing.of(slow, fast)).isEqualTo(Standing.BEHIND);
        assertThat(Standing.of(slow, slow)).isEqualTo(Standing.UNCLEAR);
    }

    @Test
    void whatIsManyTimesFasterIsSaidInWholeTimes() throws IOException {
        assertThat(page(report("fast", List.of(), List.of(latency("galerna", 1, 0.1), latency("unix", 1, 5.84)))))
                .contains("<td class=ahead>58 × faster</td>")
                .contains(">UNIX socket</th>");
    }

    @Test
    void costsStandBehindSpeedsAndZerosAreShown() throws IOException {
        Result nothing = cost("galerna", 0);
        Result something = cost("openmpi", 236);
        String page = page(report("costs", List.of(), List.of(nothing, something, latency("galerna", 1, 1))));
        assertThat(page)
                .containsSubsequence("<h2>Latency", "What it costs", "<h2>Memory allocated for a message")
                .containsPattern("data-value=0.0>0</td>")
                .contains("<td class=ahead>less</td>")
                .doesNotContain("class=overview")
                .contains("data-unit=\"B\" data-quantity=\"memory\"")
                .contains("data-unit=\"µs\" data-quantity=\"time\"");
    }

    private static Result cost(String system, double bytes) {
        return new Result(
                system,
                "",
                "allocation",
                2,
                1,
                0,
                Unit.BYTES,
                bytes,
                bytes,
                bytes,
                bytes,
                20,
                new TreeMap<>(),
                List.of());
    }

    /** The script hides what follows the first six by this number; inner levels and limits come last. */
    @Test
    void chartsAreToldWhatToShowFirst() throws IOException {
        List<Result> results = List.of(
                result("galerna", "mpi", "latency", 2, 1, 1),
                result("galerna", "link", "latency", 2, 1, 1),
                latency("openmpi", 1, 1),
                latency("cache line", 1, 1));
        assertThat(page(report("ranks", List.of(), results)))
                .contains("<i data-series=\"galerna mpi\" data-rank=0>Galerna, mpi</i>")
                .contains("<i data-series=\"galerna link\" data-rank=2>Galerna, link</i>")
                .contains("<i data-series=\"openmpi\" data-rank=0>Open MPI, C</i>")
                .contains("<i data-series=\"cache line\" data-rank=1>a bare cache line</i>");
    }

    @Test
    void eachRoundIsComparedByItself() {
        // a machine that is three times as fast in some rounds
        Result mine = rounds("galerna", 1, 1, 3, 3, 3, 1, 1);
        Result other = rounds("openmpi", 1.25, 1.25, 3.75, 3.75, 3.75, 1.25, 1.25);
        assertThat(Ratio.of(mine, other)).isEqualTo(new Ratio(0.8, 0.8, 0.8));
        assertThat(Standing.of(mine, other)).isEqualTo(Standing.AHEAD);
        assertThat(Standing.of(other, mine)).isEqualTo(Standing.BEHIND);
        Result fewer = rounds("mpich", 1, 4);
        assertThat(Ratio.of(mine, fewer).median()).isEqualTo(mine.median() / fewer.median());
    }

    private static Result rounds(String system, double... values) {
        Samples samples = new Samples();
        DoubleStream.of(values).forEach(samples::add);
        return Result.of(system, "", "latency", 2, 1, 0, Unit.MICROSECONDS, samples, new TreeMap<>());
    }

    @Test
    void percentilesHaveATableOfTheirOwn() throws IOException {
        Result result = new Result(
                "galerna",
                "mpi",
                "latency",
                2,
                1,
                0,
                Unit.MICROSECONDS,
                0.1,
                0.11,
                0.10,
                0.12,
                100,
                new TreeMap<>(Map.of(50.0, 0.111, 99.9, 0.777, 100.0, 12.5)),
                List.of());
        assertThat(page(report("percentiles", List.of(), List.of(result))))
                .contains("<th scope=col>50 %</th><th scope=col>99.9 %</th><th scope=col>max</th>")
                .contains("<td>0.111</td><td>0.777</td><td>12.5</td>");
    }

    @Test
    void severalRunsStandSideBySide() throws IOException {
        Report before = report("before", List.of(), List.of(latency("galerna", 1, 2.22), latency("openmpi", 1, 3.33)));
        Report after = report("after", List.of(), List.of(latency("galerna", 1, 1.11)));
        HtmlReport.write(List.of(before, after), file);
        assertThat(Files.readString(file))
                .contains("<title>Galerna: 2 runs compared</title>")
                .contains("<h2>Run 1: before</h2>")
                .contains("<h2>Run 2: after</h2>")
                .contains(
                        "<th scope=colgroup colspan=4>Run 1: before</th><th scope=colgroup colspan=4>Run 2: after</th>")
                .containsPattern("data-run=0 data-bytes=1 \\S+ \\S+ data-value=2.22>")
                .containsPattern("data-run=1 data-bytes=1 \\S+ \\S+ data-value=1.11>")
                .containsPattern("Open MPI, C</th>.*data-value=3.33.*(<td>–</td>){4}</tr>");
    }

    @Test
    void whatReportsSayIsTextAndNeverMarkup() throws IOException {
        String evil = "</title><script>alert('x')</script><!-- \" onload=\"x & y";
        Machine machine = new Machine(evil, 1, evil, 1, evil, evil);
        Result result = new Result(
                evil,
                evil,
                evil,
                2,
                1,
                0,
                Unit.MICROSECONDS,
                1,
                1,
                1,
                1,
                1,
                new TreeMap<>(Map.of(50.0, 1.0)),
                List.of());
        Result peer = result("<b>peer</b>", "", evil, 2, 1, 1);
        Report report = new Report(
                evil,
                Instant.EPOCH,
                evil,
                machine,
                new TreeMap<>(Map.of(evil, evil)),
                List.of(evil),
                List.of(result, latency("galerna", 1, 1), peer));
        HtmlReport.write(List.of(report, report), file);
        assertThat(Files.readString(file))
                .contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;")
                .doesNotContain("<script>alert")
                .doesNotContain("<b>peer")
                .doesNotContain("\" onload=\"x");
    }

    @Test
    void theFileLoadsNothing() throws IOException {
        String page = page(report("offline", List.of(), List.of(latency("galerna", 1, 1))));
        assertThat(page)
                .contains("default-src 'none'")
                .contains("Chart.js v4")
                .contains("Permission is hereby granted, free of charge")
                .doesNotContain("sourceMappingURL")
                .doesNotContain(" src=")
                .doesNotContain("<link");
    }

    @Test
    void runsWithoutResultsAndNoRunsAtAllAreSaidSo() throws IOException {
        assertThat(page(report("", List.of(), List.of())))
                .contains("<h1>Galerna: benchmarks</h1>")
                .contains("Nothing was measured.");
        HtmlReport.write(List.of(), file);
        assertThat(Files.readString(file))
                .contains("There are no runs to report.")
                .endsWith("</html>\n");
    }

    @Test
    void numbersAreShortAndSizesInWholeUnits() {
        assertThat(List.of(0.0, 0.000_5, 0.0831, 0.1312, 4.6, 9.9996, 83.21, 193.0, 19_300.4, Double.NaN))
                .extracting(Html::number)
                .containsExactly(
                        "0", "0.000500", "0.0831", "0.131", "4.60", "10.0", "83.2", "193", "19&#8239;300", "–");
        assertThat(List.of(0L, 1L, 1000L, 1024L, 1536L, 65_536L, 4L << 20, 1L << 30))
                .extracting(Html::size)
                .containsExactly("0 B", "1 B", "1000 B", "1 KiB", "1536 B", "64 KiB", "4 MiB", "1 GiB");
    }

    private String page(Report report) throws IOException {
        HtmlReport.write(List.of(report), file);
        return Files.readString(file);
    }

    private static Report report(String title, List<String> notes, List<Result> results) {
        return new Report(
                title,
                Instant.parse("2026-05-04T10:20:30Z"),
                "./galerna bench --against openmpi",
                MACHINE,
                VERSIONS,
                notes,
                results);
    }

    private static Result latency(String system, long bytes, double median) {
        return result(system, "", "latency", 2, bytes, median);
    }

    private static Result result(String system, String level, String benchmark, int ranks, long bytes, double median) {
        return new Result(
                system,
                level,
                benchmark,
                ranks,
                bytes,
                0,
                Unit.MICROSECONDS,
                median * 0.9,
                median,
                median * 0.99,
                median * 1.01,
                100,
                new TreeMap<>(),
                List.of());
    }
}
