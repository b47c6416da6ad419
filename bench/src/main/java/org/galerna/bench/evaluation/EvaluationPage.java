package org.galerna.bench.evaluation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.galerna.bench.report.Html;
import org.galerna.bench.report.LogChart;

/** An evaluation as one page: the ratios of the papers, and for each program its speeds and a chart of speed-ups. */
final class EvaluationPage {
    private static final String STYLE = """
            td:nth-child(1),th:nth-child(1),td:nth-child(5),th:nth-child(5),td:nth-child(6),th:nth-child(6){text-align:left}
            .met{color:var(--c2)}.not{color:var(--c1)}
            .headlines td:nth-child(2),.headlines td:nth-child(6){white-space:normal;min-width:14rem}
            """;

    private EvaluationPage() {}

    static String of(EvaluationReport report) {
        StringBuilder page = new StringBuilder();
        page.append(Html.head("The papers' ratios, measured again", LogChart.STYLE + STYLE))
                .append("<p>")
                .append(Html.of(report.machine()))
                .append("</p>\n<p>")
                .append(Html.escape(report.versions().entrySet().stream()
                        .map(version -> version.getKey() + ' ' + version.getValue())
                        .collect(Collectors.joining("; "))))
                .append("</p>\n<p><code>")
                .append(Html.escape(report.command()))
                .append("</code></p>\n");
        headlines(page, report.headlines());
        byProgram(report.speeds()).forEach((program, speeds) -> program(page, program, speeds));
        report.notes()
                .forEach(note ->
                        page.append("<p>Note: ").append(Html.escape(note)).append("</p>\n"));
        page.append(
                "<footer>What is compared took turns; the best of the rounds counts for programs, the median for messages. "
                        + "A speed-up is the speed over that of the same system on one core. Written by Galerna.</footer>\n"
                        + "</body>\n</html>\n");
        return page.toString();
    }

    /** The speeds of each program, in the order in which they were measured. */
    static Map<String, List<Speed>> byProgram(List<Speed> speeds) {
        return speeds.stream().collect(Collectors.groupingBy(Speed::program, LinkedHashMap::new, Collectors.toList()));
    }

    /** The speeds of each system, by the number of cores. */
    static Map<String, List<Speed>> bySystem(List<Speed> speeds) {
        return speeds.stream()
                .sorted(Comparator.comparingInt(Speed::cores))
                .collect(Collectors.groupingBy(Speed::system, LinkedHashMap::new, Collectors.toList()));
    }

    private static void headlines(StringBuilder page, List<Headline> headlines) {
        if (headlines.isEmpty()) {
            return;
        }
        page.append(
                        "<h2>Ratios</h2>\n<p>More is better. A paper's ratio is from its own machine, with more cores.</p>\n")
                .append("<div class=scroll><table class=headlines>\n<thead><tr>")
                .append("<th>paper<th>ratio<th>there<th>here<th><th>measured</thead>\n");
        for (Headline headline : headlines) {
            page.append("<tr><td>")
                    .append(headline.paper().word())
                    .append("<td>")
                    .append(Html.escape(headline.claim()))
                    .append("<td>")
                    .append(headline.publishedText())
                    .append("<td>")
                    .append(headline.measuredText())
                    .append("<td class=")
                    .append(headline.verdict().startsWith("not") ? "not" : "met")
                    .append('>')
                    .append(headline.verdict())
                    .append("<td>")
                    .append(Html.escape(headline.how()))
                    .append('\n');
        }
        page.append("</table></div>\n<ul>\n");
        Arrays.stream(Paper.values())
                .filter(paper -> headlines.stream().anyMatch(headline -> headline.paper() == paper))
                .forEach(paper -> page.append("<li>")
                        .append(paper.word())
                        .append(": ")
                        .append(Html.escape(paper.citation()))
                        .append("</li>\n"));
        page.append("</ul>\n");
    }

    private static void program(StringBuilder page, String program, List<Speed> speeds) {
        page.append("<h2>").append(Html.escape(program)).append("</h2>\n");
        List<Integer> cores =
                List.copyOf(speeds.stream().map(Speed::cores).collect(Collectors.toCollection(TreeSet::new)));
        Map<String, List<Speed>> systems = bySystem(speeds);
        Map<String, List<LogChart.Point>> lines = new LinkedHashMap<>();
        systems.forEach((system, own) -> {
            List<LogChart.Point> line = line(system, own);
            if (line.size() > 1) {
                lines.put(system, line);
            }
        });
        if (!lines.isEmpty()) {
            page.append(LogChart.svg(
                    program + ": speed-up over the number of cores",
                    new LogChart.Axis("cores", 2),
                    new LogChart.Axis("speed-up", 2),
                    lines));
        }
        page.append("<div class=scroll><table class=names>\n<thead><tr><th>")
                .append(Html.escape(speeds.getFirst().unit()));
        cores.forEach(number -> page.append("<th>").append(cores(number)));
        page.append("</thead>\n");
        systems.forEach((system, own) -> {
            page.append("<tr><td>").append(Html.escape(system));
            cores.forEach(number -> page.append("<td>")
                    .append(own.stream()
                            .filter(speed -> speed.cores() == number)
                            .map(speed -> Html.number(speed.value()))
                            .findFirst()
                            .orElse("")));
            page.append('\n');
        });
        page.append("</table></div>\n");
    }

    /** Words for a number of cores. */
    static String cores(int number) {
        return number == 1 ? "1 core" : number + " cores";
    }

    private static List<LogChart.Point> line(String system, List<Speed> speeds) {
        List<LogChart.Point> line = new ArrayList<>();
        speeds.stream()
                .filter(speed -> speed.cores() == 1)
                .findFirst()
                .ifPresent(one -> speeds.forEach(speed -> line.add(new LogChart.Point(
                        speed.cores(),
                        speed.value() / one.value(),
                        String.format(
                                Locale.ROOT,
                                "%s on %s: %.2f times as fast as on one",
                                system,
                                cores(speed.cores()),
                                speed.value() / one.value()),
                        true))));
        return line;
    }
}
