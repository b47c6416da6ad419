package org.galerna.bench.start;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.galerna.bench.report.Html;
import org.galerna.bench.report.JsonFile;
import org.galerna.bench.report.LogChart;
import org.galerna.bench.report.Machine;
import org.galerna.bench.start.StartText.Table;

/**
 * What is kept of a measurement of the first seconds.
 *
 * @param time when it began
 * @param command what was typed
 * @param machine that it ran on
 * @param versions of the systems
 * @param systems the figures
 * @param notes what could not be measured
 */
public record StartReport(
        Instant time,
        String command,
        Machine machine,
        Map<String, String> versions,
        List<StartFigures> systems,
        List<String> notes) {
    /** Copies the collections. */
    public StartReport {
        systems = List.copyOf(systems);
        notes = List.copyOf(notes);
    }

    /**
     * Writes it as JSON.
     *
     * @throws IOException if the file cannot be written
     */
    public void writeJson(Path file) throws IOException {
        JsonFile.write(this, file);
    }

    /**
     * Writes it as a page with a chart, which loads nothing else.
     *
     * @throws IOException if the file cannot be written
     */
    public void writePage(Path file) throws IOException {
        StringBuilder page = new StringBuilder();
        page.append(Html.head("The first seconds", LogChart.STYLE))
                .append("<p>")
                .append(Html.of(machine))
                .append("</p>\n<p><code>")
                .append(Html.escape(command))
                .append("</code></p>\n<h2>Half round trip of a byte</h2>\n")
                .append(chart());
        StartText.tables(systems).forEach(table -> append(page, table));
        notes.forEach(note -> page.append("<p>Note: ").append(Html.escape(note)).append("</p>\n"));
        page.append(
                "<footer>Medians of the runs, in which systems take turns. Written by Galerna.</footer>\n</body>\n</html>\n");
        Files.writeString(file, page.toString());
    }

    private String chart() {
        Map<String, List<LogChart.Point>> lines = new LinkedHashMap<>();
        for (StartFigures system : systems) {
            lines.put(
                    system.system(),
                    system.curve().stream()
                            .map(point -> new LogChart.Point(
                                    point.seconds(),
                                    point.value(),
                                    String.format(
                                            Locale.ROOT,
                                            "%s after %.3f s: %.2f µs",
                                            system.system(),
                                            point.seconds(),
                                            point.value()),
                                    true))
                            .toList());
        }
        return lines.values().stream().allMatch(List::isEmpty)
                ? ""
                : LogChart.svg(
                        "half of a round trip in microseconds over the time since Init",
                        new LogChart.Axis("seconds since Init", 10),
                        new LogChart.Axis("µs", 10),
                        lines);
    }

    private static void append(StringBuilder page, Table table) {
        page.append("<h2>")
                .append(Html.escape(table.title().substring(0, 1).toUpperCase(Locale.ROOT)
                        + table.title().substring(1)))
                .append("</h2>\n<div class=scroll><table class=names>\n<thead><tr>");
        table.head().forEach(word -> page.append("<th>").append(Html.escape(word)));
        page.append("</thead>\n");
        for (List<String> row : table.rows()) {
            page.append("<tr>");
            row.forEach(word -> page.append("<td>").append(Html.escape(word)));
            page.append('\n');
        }
        page.append("</table></div>\n");
    }
}
