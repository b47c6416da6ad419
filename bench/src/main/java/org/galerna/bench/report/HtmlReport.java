package org.galerna.bench.report;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reports as one HTML file with charts and tables, which loads nothing else: it can be sent by mail, printed, and read on
 * a phone, in daylight and in the dark. Several runs stand side by side, and share the charts.
 *
 * <p>Charts are drawn by Chart.js, whose script is part of the file, from the values in the tables.
 */
public final class HtmlReport {
    private static final String CHARTS = "chart.umd.min.js";
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final int FEW_NOTES = 5;
    private static final double GIBIBYTE = 1 << 30;

    /** Of the script and of the style sheet, which stand inside the file. */
    private static final String NOTHING_FROM_ELSEWHERE =
            "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:";

    private final List<Report> reports;
    private final ReportTables tables;

    private HtmlReport(List<Report> reports) {
        this.reports = List.copyOf(reports);
        this.tables = new ReportTables(this.reports);
    }

    /**
     * Writes the file, over one that is there.
     *
     * @param reports the runs, in the order in which they are to stand; may be empty
     * @throws IOException if the file cannot be written
     */
    public static void write(List<Report> reports, Path file) throws IOException {
        Files.writeString(file, new HtmlReport(reports).page());
    }

    private String page() throws IOException {
        return """
                <!DOCTYPE html>
                <html lang=en>
                <head>
                <meta charset=utf-8>
                <meta name=viewport content="width=device-width, initial-scale=1">
                <meta name=color-scheme content="light dark">
                <meta http-equiv=Content-Security-Policy content="%s">
                <title>%s</title>
                <style>
                %s</style>
                </head>
                <body>
                <header>
                <h1>%s</h1>
                %s</header>
                <main>
                %s</main>
                <footer>Points and bars are medians; the thin lines at them are their 95 %% intervals. How many times faster is the median of
                the ratios of the rounds of one run, in which systems take turns; where its 95 %% interval contains 1 the two are about
                equal. To a baseline, which is an older build, the ratio is new / old, with its interval over the starts of both. A chart shows six systems at first: click on a name to show or hide it. Written by Galerna; the charts are drawn
                by Chart.js (MIT License, in the source of this page).</footer>
                <script>
                /*!
                %s*/
                %s
                </script>
                <script>
                %s</script>
                </body>
                </html>
                """.formatted(
                        NOTHING_FROM_ELSEWHERE,
                        Html.escape(title()),
                        resource("report.css"),
                        Html.escape(title()),
                        runs(),
                        sections(),
                        resource("LICENSE.md"),
                        withoutSourceMap(resource(CHARTS)),
                        resource("report.js"));
    }

    private String title() {
        if (reports.size() == 1 && !reports.getFirst().title().isBlank()) {
            return reports.getFirst().title().strip();
        }
        return reports.size() > 1 ? "Galerna: " + reports.size() + " runs compared" : "Galerna: benchmarks";
    }

    private String runs() {
        if (reports.isEmpty()) {
            return "<p>There are no runs to report.</p>\n";
        }
        StringBuilder runs = new StringBuilder("<div class=runs>\n");
        for (int run = 0; run < reports.size(); run++) {
            runs.append(run(run));
        }
        runs.append("</div>\n");
        for (int run = 0; run < reports.size(); run++) {
            runs.append(tables.overview(run));
        }
        return runs.toString();
    }

    private String run(int run) {
        Report report = reports.get(run);
        Machine machine = report.machine();
        String heading = reports.size() == 1 ? "" : "<h2>" + Html.escape(tables.label(run)) + "</h2>\n";
        String memory = Html.number(machine.memoryBytes() / GIBIBYTE) + " GiB";
        return """
                <section class=run>
                %s<dl>
                <dt>time</dt><dd>%s</dd>
                <dt>command</dt><dd><code>%s</code></dd>
                <dt>processor</dt><dd>%s, %s cores; %s</dd>
                <dt>memory</dt><dd>%s</dd>
                <dt>system</dt><dd>%s</dd>
                <dt>Java</dt><dd>%s</dd>
                %s</dl>
                %s</section>
                """.formatted(
                        heading,
                        TIME.format(report.time().truncatedTo(ChronoUnit.MINUTES)),
                        Html.escape(report.command()),
                        Html.escape(machine.processor()),
                        machine.cores(),
                        Html.escape(machine.caches()),
                        memory,
                        Html.escape(machine.system()),
                        Html.escape(machine.java()),
                        versions(report.versions()),
                        notes(report.notes()));
    }

    private static String versions(SortedMap<String, String> versions) {
        String list = versions.entrySet().stream()
                .map(each -> SystemName.of(each.getKey()) + ' ' + each.getValue())
                .sorted(Comparator.comparing(name -> !name.startsWith("Galerna")))
                .collect(Collectors.joining("; "));
        return list.isEmpty() ? "" : "<dt>versions</dt><dd>" + Html.escape(list) + "</dd>\n";
    }

    /** More than a few notes are folded: they would push the results off the screen. */
    private static String notes(List<String> notes) {
        if (notes.isEmpty()) {
            return "";
        }
        StringBuilder list = new StringBuilder("<ul class=notes>\n");
        notes.forEach(note -> list.append("<li>").append(Html.escape(note)).append("</li>\n"));
        list.append("</ul>\n");
        return notes.size() <= FEW_NOTES
                ? list.toString()
                : "<details><summary>" + notes.size() + " notes on what was left out</summary>\n" + list
                        + "</details>\n";
    }

    private String sections() {
        if (tables.groups().isEmpty()) {
            return reports.isEmpty() ? "" : "<p>Nothing was measured.</p>\n";
        }
        StringBuilder sections = new StringBuilder();
        sections.append("<div id=systems hidden>");
        tables.systems()
                .forEach(name -> sections.append("<i data-series=\"%s\" data-rank=%d>%s</i>"
                        .formatted(Html.escape(name), rank(name), Html.escape(SystemName.of(name)))));
        sections.append("</div>\n<div id=runs hidden>");
        for (int run = 0; run < reports.size(); run++) {
            sections.append("<i>").append(Html.escape(tables.label(run))).append("</i>");
        }
        sections.append("</div>\n");
        List<ResultGroup> speeds =
                tables.groups().stream().filter(group -> !group.unit().isCost()).toList();
        List<ResultGroup> costs =
                tables.groups().stream().filter(group -> group.unit().isCost()).toList();
        speeds.forEach(group -> sections.append(section(group)));
        if (!costs.isEmpty()) {
            sections.append("<h2 class=part>What it costs</h2>\n");
            costs.forEach(group -> sections.append(section(group)));
        }
        return sections.toString();
    }

    /** Which systems a chart shows first, when it cannot show all. */
    private static int rank(String name) {
        return ReportTables.isInner(name) ? 2 : ReportTables.isLimit(name) ? 1 : 0;
    }

    private String section(ResultGroup group) {
        String title = Html.escape(group.title());
        return """
                <section class=benchmark data-unit="%s" data-quantity="%s">
                <h2>%s <small>%s</small></h2>
                <p class=meaning>%s</p>
                <div class=chart><canvas role=img aria-label="%s over the size of the message; the table below has all values"></canvas></div>
                %s%s</section>
                """.formatted(
                        Html.escape(group.unit().symbol()),
                        group.unit().quantity(),
                        title,
                        group.setting(),
                        Html.escape(group.meaning()),
                        title,
                        tables.results(group),
                        tables.percentiles(group));
    }

    /** A browser's tools would look for the map beside this file. */
    private static String withoutSourceMap(String script) {
        Matcher comment = Pattern.compile("(?m)^//# sourceMappingURL=.*$").matcher(script);
        return comment.replaceAll("").strip();
    }

    private static String resource(String name) throws IOException {
        try (InputStream resource = HtmlReport.class.getResourceAsStream(name)) {
            if (resource == null) {
                throw new IOException(name + " is missing in the archive of Galerna");
            }
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
