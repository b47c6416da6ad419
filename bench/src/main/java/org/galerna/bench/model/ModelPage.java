package org.galerna.bench.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.galerna.bench.model.Study.Row;
import org.galerna.bench.report.Html;

/** What a model says, as one HTML page with charts, which loads nothing else. */
public final class ModelPage {
    private static final int WIDTH = 720;
    private static final int HEIGHT = 360;
    private static final int LEFT = 64;
    private static final int RIGHT = 12;
    private static final int TOP = 12;
    private static final int BOTTOM = 44;
    private static final int COLOURS = 8;

    private static final String STYLE = """
            :root{--paper:#fff;--ink:#1b1f24;--quiet:#57606a;--line:#d5dae0;
            --c0:#0b57d0;--c1:#d1480f;--c2:#1a7f37;--c3:#8e24aa;--c4:#a57100;--c5:#00838f;--c6:#c2185b;--c7:#4e5a65}
            @media(prefers-color-scheme:dark){:root{--paper:#14171b;--ink:#e6e9ed;--quiet:#a0a9b4;--line:#3a424c;
            --c0:#7fb2ff;--c1:#ff9a62;--c2:#66d684;--c3:#d9a0f0;--c4:#e5c04f;--c5:#4dd4e0;--c6:#ff8ab5;--c7:#b4bec9}}
            *{box-sizing:border-box}
            body{margin:0 auto;padding:1rem;max-width:60rem;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
            h1{font-size:1.6rem;line-height:1.2}h2{font-size:1.2rem;margin:2.5rem 0 .25rem}
            p,footer{color:var(--quiet);margin:.25rem 0}
            svg{width:100%;height:auto;display:block}
            svg text{fill:var(--quiet);font-size:13px}
            .grid{stroke:var(--line)}
            .scroll{overflow-x:auto}
            table{border-collapse:collapse;font-size:.875rem;font-variant-numeric:tabular-nums;white-space:nowrap}
            th,td{padding:.2rem .65rem;text-align:right;border-bottom:1px solid var(--line)}
            th:nth-child(2),td:nth-child(2){text-align:left}
            .best{font-weight:bold}
            ul.key{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem 1rem;padding:0;margin:.25rem 0}
            ul.key svg{width:28px;height:12px;display:inline-block;vertical-align:middle;margin-right:.35rem}
            """;

    private ModelPage() {}

    /**
     * Writes the page.
     *
     * @param tables the rows of each operation and size
     * @throws IOException if the file cannot be written
     */
    public static void write(Machine machine, List<List<Row>> tables, Path file) throws IOException {
        StringBuilder page = new StringBuilder();
        page.append("<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n")
                .append("<meta name=viewport content=\"width=device-width, initial-scale=1\">\n")
                .append("<meta name=color-scheme content=\"light dark\">\n<title>Collectives on ")
                .append(Html.escape(machine.name()))
                .append("</title>\n<style>\n")
                .append(STYLE)
                .append("</style>\n</head>\n<body>\n<h1>Collectives on ")
                .append(Html.escape(machine.name()))
                .append("</h1>\n<p>Simulated: the real algorithms, message by message. ")
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
        List<String> names = new ArrayList<>(series.keySet());
        if (rows.stream().mapToInt(Row::ranks).distinct().count() > 1) {
            chart(page, rows, series, names);
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

    private static void chart(StringBuilder page, List<Row> rows, Map<String, List<Row>> series, List<String> names) {
        Scale ranks = Scale.of(rows.stream().mapToDouble(Row::ranks).toArray(), 2, LEFT, WIDTH - RIGHT);
        Scale times =
                Scale.of(rows.stream().mapToDouble(row -> row.seconds() * 1e6).toArray(), 10, HEIGHT - BOTTOM, TOP);
        page.append(
                "<svg viewBox=\"0 0 %d %d\" role=img aria-label=\"time in microseconds over the number of ranks; the table below has all values\">\n"
                        .formatted(WIDTH, HEIGHT));
        int step = (int) Math.ceil((ranks.last - ranks.first) / 9.0);
        for (int power = ranks.first; power <= ranks.last; power += Math.max(1, step)) {
            double x = ranks.place(Math.pow(2, power));
            line(page, x, TOP, x, HEIGHT - BOTTOM);
            text(page, x, HEIGHT - BOTTOM + 18, "middle", String.format(Locale.ROOT, "%.0f", Math.pow(2, power)));
        }
        for (int power = times.first; power <= times.last; power++) {
            double y = times.place(Math.pow(10, power));
            line(page, LEFT, y, WIDTH - RIGHT, y);
            text(
                    page,
                    LEFT - 6,
                    y + 4,
                    "end",
                    power >= 0 ? "%.0f".formatted(Math.pow(10, power)) : String.valueOf((float) Math.pow(10, power)));
        }
        text(page, (LEFT + WIDTH) / 2.0, HEIGHT - 6, "middle", "ranks");
        text(page, LEFT, TOP - 1, "end", "µs");
        for (int number = 0; number < names.size(); number++) {
            List<Row> points = series.getOrDefault(names.get(number), List.of());
            page.append("<polyline fill=none stroke=\"var(--c%d)\" stroke-width=2%s points=\"%s\"/>\n"
                    .formatted(
                            number % COLOURS,
                            dashes(number),
                            points.stream()
                                    .map(row -> "%.1f,%.1f"
                                            .formatted(ranks.place(row.ranks()), times.place(row.seconds() * 1e6)))
                                    .collect(Collectors.joining(" "))));
            for (Row row : points) {
                page.append(
                        "<circle cx=%.1f cy=%.1f r=3 fill=\"%s\" stroke=\"var(--c%d)\"><title>%s on %d ranks: %s µs</title></circle>\n"
                                .formatted(
                                        ranks.place(row.ranks()),
                                        times.place(row.seconds() * 1e6),
                                        row.outcome().isPresent() ? "var(--c" + number % COLOURS + ")" : "var(--paper)",
                                        number % COLOURS,
                                        Html.escape(row.algorithm()),
                                        row.ranks(),
                                        ModelText.number(row.seconds() * 1e6)));
            }
        }
        page.append("</svg>\n<ul class=key>\n");
        for (int number = 0; number < names.size(); number++) {
            page.append(
                    "<li><svg viewBox=\"0 0 28 12\" aria-hidden=true><line x1=0 y1=6 x2=28 y2=6 stroke=\"var(--c%d)\" stroke-width=3%s /></svg>%s</li>\n"
                            .formatted(number % COLOURS, dashes(number), Html.escape(names.get(number))));
        }
        page.append("</ul>\n");
    }

    /** So that lines are told apart without colours, too. */
    private static String dashes(int number) {
        return switch (number % 4) {
            case 0 -> "";
            case 1 -> " stroke-dasharray=\"8 4\"";
            case 2 -> " stroke-dasharray=\"2 3\"";
            default -> " stroke-dasharray=\"9 3 2 3\"";
        };
    }

    private static void line(StringBuilder page, double fromX, double fromY, double toX, double toY) {
        page.append("<line class=grid x1=%.1f y1=%.1f x2=%.1f y2=%.1f />\n".formatted(fromX, fromY, toX, toY));
    }

    private static void text(StringBuilder page, double x, double y, String anchor, String text) {
        page.append("<text x=%.1f y=%.1f text-anchor=%s>%s</text>\n".formatted(x, y, anchor, text));
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

    /** A logarithmic axis from one power of a base to another. */
    private record Scale(int base, int first, int last, double from, double to) {
        static Scale of(double[] values, int base, double from, double to) {
            double smallest = Double.POSITIVE_INFINITY;
            double largest = 0;
            for (double value : values) {
                if (value > 0) {
                    smallest = Math.min(smallest, value);
                    largest = Math.max(largest, value);
                }
            }
            int first = (int) Math.floor(Math.log(smallest) / Math.log(base) + 1e-9);
            int last = (int) Math.ceil(Math.log(largest) / Math.log(base) - 1e-9);
            return new Scale(base, first, Math.max(last, first + 1), from, to);
        }

        double place(double value) {
            double power = Math.log(value) / Math.log(base);
            return from + (to - from) * (power - first) / (last - first);
        }
    }
}
