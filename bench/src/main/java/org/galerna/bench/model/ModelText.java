package org.galerna.bench.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.galerna.bench.model.Study.Row;
import org.galerna.bench.report.Growth;
import org.galerna.bench.report.Html;
import org.galerna.bench.report.LogChart.Point;
import org.galerna.collectives.algorithm.Operation;

/** What a model says, as text. */
public final class ModelText {
    private ModelText() {}

    /** One table: an operation with one size, all algorithms on all numbers of ranks. */
    public static String table(List<Row> rows) {
        Row any = rows.getFirst();
        StringBuilder text = new StringBuilder(title(any)).append('\n');
        text.append(String.format(
                Locale.ROOT,
                "%9s  %-20s %12s %12s %14s %14s %14s%n",
                "ranks",
                "algorithm",
                "time in µs",
                "messages",
                "bytes",
                "between hosts",
                "bytes"));
        int before = 0;
        for (Row row : rows) {
            text.append(String.format(
                    Locale.ROOT,
                    "%9s  %-20s %12s %12s %14s %14s %14s%s%n",
                    row.ranks() == before ? "" : Integer.toString(row.ranks()),
                    row.algorithm(),
                    (row.outcome().isEmpty() ? "~" : "") + number(row.seconds() * 1e6),
                    row.outcome().map(each -> Long.toString(each.messages())).orElse("-"),
                    row.outcome().map(each -> Long.toString(each.bytes())).orElse("-"),
                    row.outcome()
                            .map(each -> Long.toString(each.messagesBetweenHosts()))
                            .orElse("-"),
                    row.outcome()
                            .map(each -> Long.toString(each.bytesBetweenHosts()))
                            .orElse("-"),
                    row.equals(best(rows, row.ranks())) ? "  <- best" : ""));
            before = row.ranks();
        }
        return text.append(growth(rows)).toString();
    }

    static String title(Row row) {
        Operation operation = row.operation();
        return switch (operation) {
            case BARRIER -> operation.label();
            case GATHER, SCATTER, ALLTOALL, GATHERV, SCATTERV, ALLTOALLV ->
                operation.label() + " of blocks of " + Html.size(TracedCall.block(operation, row.ranks(), row.bytes()));
            case ALLGATHER, ALLGATHERV -> operation.label() + " of " + Html.size(row.bytes()) + " altogether";
            default -> operation.label() + " of " + Html.size(row.bytes());
        };
    }

    static Row best(List<Row> rows, int ranks) {
        return rows.stream()
                .filter(row -> row.ranks() == ranks)
                .min(Comparator.comparingDouble(Row::seconds))
                .orElseThrow();
    }

    /** How the time of each algorithm grows with the ranks, from the upper half of their numbers. */
    static Map<String, Double> exponents(List<Row> rows) {
        Map<String, List<Row>> byAlgorithm = rows.stream()
                .filter(row -> row.outcome().isPresent())
                .collect(Collectors.groupingBy(Row::algorithm, TreeMap::new, Collectors.toList()));
        Map<String, Double> exponents = new TreeMap<>();
        byAlgorithm.forEach((algorithm, points) -> Growth.exponent(
                        points.stream().map(ModelText::point).toList())
                .ifPresent(exponent -> exponents.put(algorithm, exponent)));
        return exponents;
    }

    /** In a chart of microseconds by ranks. */
    static Point point(Row row) {
        return new Point(
                row.ranks(),
                row.seconds() * 1e6,
                "%s on %d ranks: %s µs".formatted(row.algorithm(), row.ranks(), number(row.seconds() * 1e6)),
                row.outcome().isPresent());
    }

    private static String growth(List<Row> rows) {
        List<String> parts = new ArrayList<>();
        exponents(rows)
                .forEach(
                        (algorithm, exponent) -> parts.add(String.format(Locale.ROOT, "%s %.2f", algorithm, exponent)));
        return parts.isEmpty()
                ? ""
                : "  The time grows with the ranks to the power of: " + String.join(", ", parts) + "\n";
    }

    static String number(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value);
    }
}
