package org.galerna.bench.start;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.galerna.bench.report.Columns;
import org.galerna.bench.start.StartFigures.Compilers;

/** Figures of the first seconds as tables. */
public final class StartText {
    private static final String NOTHING = "-";

    private StartText() {}

    /**
     * A table.
     *
     * @param title what it shows
     * @param head names of the columns
     * @param rows as many words as there are columns; the first one names a system
     */
    record Table(String title, List<String> head, List<List<String>> rows) {}

    /** All tables, one after the other. */
    public static String of(List<StartFigures> systems) {
        StringBuilder text = new StringBuilder();
        tables(systems).forEach(table -> text.append(layOut(table)).append('\n'));
        return text.toString();
    }

    static List<Table> tables(List<StartFigures> systems) {
        List<Table> tables = new ArrayList<>();
        tables.add(table(
                "from the command to the first message of all ranks, and to the end, in ms (less is better)",
                systems,
                columns(
                        systems,
                        system -> system.starts().stream()
                                .flatMap(start ->
                                        List.of(start.ranks() + " ranks", start.ranks() + " ranks, end").stream())
                                .toList()),
                (system, column) -> system.starts().stream()
                        .filter(start -> column.startsWith(start.ranks() + " ranks"))
                        .map(start -> column.endsWith("end") ? start.totalMillis() : start.firstMillis())
                        .findFirst()
                        .orElse(Double.NaN)));
        tables.add(byTime(
                "half round trip of a byte by the seconds since Init, in µs (less is better)",
                systems,
                StartFigures::latency));
        tables.add(byTime(
                "messages of 8 B by the seconds since Init, in M msg/s (more is better)", systems, StartFigures::rate));
        tables.add(table(
                "mixed program: how many times its steady state an operation takes, and the time of the whole",
                systems,
                List.of("first 2 s", "first 6 s", "whole, s"),
                (system, column) -> switch (column) {
                    case "first 2 s" -> system.mixed().inTwoSeconds();
                    case "first 6 s" -> system.mixed().inSixSeconds();
                    default -> system.mixed().totalSeconds();
                }));
        tables.add(kinds(systems));
        tables.add(compilers(systems));
        return tables;
    }

    private static Table byTime(
            String title, List<StartFigures> systems, Function<StartFigures, Map<String, Double>> figures) {
        List<String> ends =
                columns(systems, system -> List.copyOf(figures.apply(system).keySet()));
        return table(
                title,
                systems,
                ends.stream().map(end -> "to " + end).toList(),
                (system, column) -> figures.apply(system).getOrDefault(column.substring("to ".length()), Double.NaN));
    }

    /** A row for each kind of operation: there are more kinds than systems. */
    private static Table kinds(List<StartFigures> systems) {
        List<String> kinds = columns(
                systems, system -> List.copyOf(system.mixed().steadyMicros().keySet()));
        List<String> head = new ArrayList<>(List.of("operation"));
        systems.forEach(system -> head.add(system.system()));
        return new Table(
                "mixed program: an operation in the steady state, in µs (less is better)",
                head,
                kinds.stream()
                        .map(kind -> {
                            List<String> row = new ArrayList<>(List.of(kind));
                            systems.forEach(system ->
                                    row.add(number(system.mixed().steadyMicros().getOrDefault(kind, Double.NaN))));
                            return row;
                        })
                        .map(List::copyOf)
                        .toList());
    }

    private static Table compilers(List<StartFigures> systems) {
        List<List<String>> rows = new ArrayList<>();
        for (StartFigures system : systems) {
            Compilers compilers = system.compilers();
            if (compilers != null) {
                rows.add(List.of(
                        system.system(),
                        number(compilers.millis()),
                        Integer.toString(compilers.compiled()),
                        Integer.toString(compilers.discarded().values().stream()
                                .mapToInt(Integer::intValue)
                                .sum()),
                        Integer.toString(compilers.discardedLater())));
            }
        }
        return new Table(
                "mixed program: what the compilers of a process do",
                List.of("system", "they work, ms", "methods compiled", "discarded", "discarded after 1 s"),
                rows);
    }

    private static List<String> columns(List<StartFigures> systems, Function<StartFigures, List<String>> columns) {
        Set<String> all = new LinkedHashSet<>();
        systems.forEach(system -> all.addAll(columns.apply(system)));
        return List.copyOf(all);
    }

    private static Table table(
            String title,
            List<StartFigures> systems,
            List<String> columns,
            BiFunction<StartFigures, String, Double> figure) {
        List<String> head = new ArrayList<>(List.of("system"));
        head.addAll(columns);
        List<List<String>> rows = new ArrayList<>();
        for (StartFigures system : systems) {
            List<String> row = new ArrayList<>(List.of(system.system()));
            columns.forEach(column -> row.add(number(figure.apply(system, column))));
            rows.add(List.copyOf(row));
        }
        return new Table(title, head, rows);
    }

    private static String number(double value) {
        return !Double.isFinite(value)
                ? NOTHING
                : String.format(Locale.ROOT, value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f", value);
    }

    private static String layOut(Table table) {
        List<List<String>> lines = new ArrayList<>(List.of(table.head));
        lines.addAll(table.rows);
        return table.title + "\n" + Columns.layOut(lines, 0, "  ");
    }
}
