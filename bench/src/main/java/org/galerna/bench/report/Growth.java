package org.galerna.bench.report;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.galerna.bench.report.LogChart.Point;

/** How a value grows with a number: to which power of it. */
public final class Growth {
    private Growth() {}

    /** The power, by the upper half of the points; empty if there are fewer than two. */
    public static OptionalDouble exponent(List<Point> points) {
        List<Point> upper = points.subList(Math.max(0, points.size() / 2 - 1), points.size());
        return upper.size() < 2 ? OptionalDouble.empty() : OptionalDouble.of(slope(upper));
    }

    /** Of the straight line through the logarithms, by least squares. */
    private static double slope(List<Point> points) {
        double meanX = points.stream()
                .mapToDouble(point -> Math.log(point.across()))
                .average()
                .orElseThrow();
        double meanY = points.stream()
                .mapToDouble(point -> Math.log(point.up()))
                .average()
                .orElseThrow();
        double products = 0;
        double squares = 0;
        for (Point point : points) {
            double x = Math.log(point.across()) - meanX;
            products += x * (Math.log(point.up()) - meanY);
            squares += x * x;
        }
        return products / squares;
    }

    /** A line for a picture: its file, and how its lines grow as far as that can be told. */
    public static String of(String file, Map<String, List<Point>> lines) {
        String powers = words(lines);
        return file + (powers.isEmpty() ? "" : ": grows with the ranks to the power of: " + powers) + "\n";
    }

    private static String words(Map<String, List<Point>> lines) {
        return lines.entrySet().stream()
                .filter(line -> exponent(line.getValue()).isPresent())
                .map(line -> String.format(
                        Locale.ROOT,
                        "%s %.2f",
                        line.getKey(),
                        // what is a little below 0 is printed as 0
                        Math.round(100 * exponent(line.getValue()).orElseThrow()) / 100.0))
                .collect(Collectors.joining(", "));
    }
}
