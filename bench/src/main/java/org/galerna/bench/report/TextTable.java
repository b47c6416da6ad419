package org.galerna.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Results of one benchmark on one number of ranks as text: a row per size and system, with the ratio of each of Galerna's
 * levels to each other system, and to the same level of an older build.
 */
public final class TextTable {
    private static final String GALERNA = "galerna";
    private static final String BASELINE = "baseline";
    private static final int SYSTEM = 1; // its column
    private static final String WORSE = "<- worse";
    private static final List<Double> PERCENTS = List.of(50.0, 95.0, 99.0, 99.9, 100.0);

    private TextTable() {}

    /** The table, which ends with the end of a line; empty if there are no results. */
    public static String of(List<Result> results) {
        if (results.isEmpty()) {
            return "";
        }
        List<String> peers = peers(results);
        boolean percentiles =
                results.stream().anyMatch(each -> !each.percentiles().isEmpty());
        boolean compared = results.stream().anyMatch(each -> each.baseline() != null);
        List<List<String>> rows = new ArrayList<>();
        rows.add(head(peers, percentiles, compared));
        long before = -1;
        for (Result result : results) {
            List<String> row = row(result, results, peers, percentiles, result.bytes() != before);
            if (compared) {
                row.addAll(comparison(result));
            }
            rows.add(row);
            before = result.bytes();
        }
        return title(results.getFirst()) + Columns.layOut(rows, SYSTEM, "   ");
    }

    private static String title(Result result) {
        String window = result.window() == 0 ? "" : ", window " + result.window();
        return result.benchmark() + " on " + result.ranks() + " ranks" + window + ", in "
                + result.unit().symbol() + " ("
                + (result.unit().moreIsBetter() ? "more is better" : "less is better") + ")\n";
    }

    /** The systems that Galerna is compared with, in the order in which they come. */
    private static List<String> peers(List<Result> results) {
        Set<String> peers = new LinkedHashSet<>();
        results.stream()
                .filter(each -> !each.system().equals(GALERNA) && !each.system().equals(BASELINE))
                .map(Result::name)
                .forEach(peers::add);
        return List.copyOf(peers);
    }

    private static List<String> head(List<String> peers, boolean percentiles, boolean compared) {
        List<String> head = new ArrayList<>(List.of("bytes", "system", "median", "95 % interval", "best"));
        if (percentiles) {
            head.addAll(List.of("50 %", "95 %", "99 %", "99.9 %", "max"));
        }
        peers.forEach(peer -> head.add("/ " + peer));
        if (compared) {
            head.addAll(List.of("new / old", "interval", ""));
        }
        return head;
    }

    /** How many times as much as the older build, and a mark where that is worse by more than the interval. */
    private static List<String> comparison(Result result) {
        Ratio ratio = result.baseline();
        if (ratio == null) {
            return List.of("", "", "");
        }
        boolean worse = result.standing().filter(Standing.BEHIND::equals).isPresent();
        return List.of(
                String.format(Locale.ROOT, "%.3f", ratio.median()),
                String.format(Locale.ROOT, "%.3f - %.3f", ratio.lowerBound(), ratio.upperBound()),
                worse ? WORSE : "");
    }

    private static List<String> row(
            Result result, List<Result> all, List<String> peers, boolean percentiles, boolean first) {
        List<String> row = new ArrayList<>(List.of(
                first ? Long.toString(result.bytes()) : "",
                result.name(),
                number(result.median()),
                number(result.lowerBound()) + " - " + number(result.upperBound()),
                number(result.best())));
        if (percentiles) {
            for (double percent : PERCENTS) {
                Double value = result.percentiles().get(percent);
                row.add(value == null ? "" : number(value));
            }
        }
        for (String peer : peers) {
            row.add(result.system().equals(GALERNA) ? ratio(result, all, peer) : "");
        }
        return row;
    }

    private static String ratio(Result result, List<Result> all, String peer) {
        return all.stream()
                .filter(each -> each.name().equals(peer) && each.bytes() == result.bytes() && each.median() > 0)
                .map(each -> String.format(
                        Locale.ROOT, "%.2f", Ratio.of(result, each).median()))
                .findFirst()
                .orElse("");
    }

    /** Four digits at least, and no more behind the point than say something. */
    private static String number(double value) {
        if (value >= 1_000 || value == 0) {
            return String.format(Locale.ROOT, "%.0f", value);
        }
        return String.format(Locale.ROOT, value >= 100 ? "%.1f" : value >= 10 ? "%.2f" : "%.3f", value);
    }
}
