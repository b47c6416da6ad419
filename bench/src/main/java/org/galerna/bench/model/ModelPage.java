package org.galerna.bench.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.galerna.bench.model.Study.Row;
import org.galerna.bench.report.Html;
import org.galerna.bench.report.LogChart;

/** What a model says, as one HTML page with charts, which loads nothing else. */
public final class ModelPage {
    private ModelPage() {}

    /**
     * Writes the page.
     *
     * @param tables the rows of each operation and size
     * @throws IOException if the file cannot be written
     */
    public static void write(Machine machine, List<List<Row>> tables, Path file) throws IOException {
        StringBuilder page = new StringBuilder();
        page.append(Html.head("Collectives on " + machine.name(), LogChart.STYLE))
                .append("<p>Simulated: the real algorithms, message by message. ")
                .append(machine.ranksPerHost())
                .append(" ranks on a host, ")
                .append(machine.socketsPerHost())
                .append(machine.socketsPerHost() == 1 ? " socket." : " sockets.")
                .append("</p>\n");
        for (List<Row> rows : tables) {
            section(page, rows);
        }
        page.append(
                        "<footer>A time with ~ comes from the formula of the algorithm, because it sends too many messages to ")
                .append("simulate. Written by Galerna.</footer>\n</body>\n</html>\n");
        Files.writeString(file, page.toString());
    }

    private static void section(StringBuilder page, List<Row> rows) {
        page.append("<h2>")
                .append(Html.escape(ModelText.title(rows.getFirst())))
                .append("</h2>\n");
        Map<String, List<Row>> series =
                rows.stream().collect(Collectors.groupingBy(Row::algorithm, TreeMap::new, Collectors.toList()));
        if (rows.stream().mapToInt(Row::ranks).distinct().count() > 1) {
            page.append(chart(series));
        }
        Map<String, Double> exponents = ModelText.exponents(rows);
        if (!exponents.isEmpty()) {
            page.append("<p>The time grows with the ranks to the power of: ")
                    .append(exponents.entrySet().stream()
                            .map(each -> String.format(Locale.ROOT, "%s %.2f", each.getKey(), each.getValue()))
                            .collect(Collectors.joining(", ")))
                    .append(".</p>\n");
        }
        table(page, rows);
    }

    private static String chart(Map<String, List<Row>> series) {
        Map<String, List<LogChart.Point>> lines = new TreeMap<>();
        series.forEach((algorithm, rows) ->
                lines.put(algorithm, rows.stream().map(ModelText::point).toList()));
        return LogChart.svg(
                "time in microseconds over the number of ranks; the table below has all values",
                new LogChart.Axis("ranks", 2),
                new LogChart.Axis("µs", 10),
                lines);
    }

    private static void table(StringBuilder page, List<Row> rows) {
        page.append("<div class=scroll><table><thead><tr><th>ranks<th>algorithm<th>time in µs<th>messages<th>bytes")
                .append("<th>messages between hosts<th>bytes between hosts</thead>\n");
        for (int ranks : new TreeSet<>(rows.stream().map(Row::ranks).toList())) {
            Row best = ModelText.best(rows, ranks);
            for (Row row : rows) {
                if (row.ranks() == ranks) {
                    page.append(row.equals(best) ? "<tr class=best>" : "<tr>")
                            .append("<td>%d<td>%s<td>%s%s"
                                    .formatted(
                                            ranks,
                                            Html.escape(row.algorithm()),
                                            row.outcome().isEmpty() ? "~" : "",
                                            ModelText.number(row.seconds() * 1e6)))
                            .append(row.outcome()
                                    .map(each -> "<td>%d<td>%d<td>%d<td>%d"
                                            .formatted(
                                                    each.messages(),
                                                    each.bytes(),
                                                    each.messagesBetweenHosts(),
                                                    each.bytesBetweenHosts()))
                                    .orElse("<td>–<td>–<td>–<td>–"))
                            .append('\n');
                }
            }
        }
        page.append("</table></div>\n");
    }
}
