package org.galerna.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.galerna.bench.report.LogChart.Axis;
import org.galerna.bench.report.LogChart.Point;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogChartTest {
    private static final Pattern TEXT =
            Pattern.compile("<text x=\"([\\d.]+)\" y=\"[\\d.]+\" text-anchor=\"(\\w+)\">([^<]*)</text>");
    private static final Pattern VERTICAL =
            Pattern.compile("<line class=\"grid\" x1=\"([\\d.]+)\" y1=\"[\\d.]+\" x2=\"\\1\"");
    private static final double WIDTH = 720;

    /** Of the largest font that pages have, 22 pixels. */
    private static final double LETTER = 14;

    private static final double STROKE = 1;

    /** Of numbers with few and many digits at the ends of both axes. */
    @ParameterizedTest
    @CsvSource({
        "2, 1024, 10, 10000",
        "2, 131072, 0.0001, 10000000",
        "1, 2, 1, 1",
        "0.0009765625, 4, 1000000000, 1000000000"
    })
    void noLabelIsCutOff(double first, double last, double low, double high) {
        Map<String, List<Point>> lines = Map.of(
                "time",
                List.of(new Point(first, low, "the first one", true), new Point(last, high, "the last one", true)));
        String picture = LogChart.picture("Growth", new Axis("ranks", 2), new Axis("speed-up", 10), lines);
        List<MatchResult> texts = TEXT.matcher(picture).results().toList();
        assertThat(texts).hasSizeGreaterThan(5).allSatisfy(text -> {
            double width = LETTER * text.group(3).length();
            double from = Double.parseDouble(text.group(1))
                    - switch (text.group(2)) {
                        case "start" -> 0;
                        case "middle" -> width / 2;
                        default -> width;
                    };
            assertThat(from).as(text.group()).isGreaterThanOrEqualTo(STROKE);
            assertThat(from + width).as(text.group()).isLessThanOrEqualTo(WIDTH - STROKE);
        });
    }

    @ParameterizedTest
    @CsvSource({"2, 1024, 10", "32, 131072, 100"})
    void aPointIsWhereItsLabelsAre(double first, double last, double high) {
        Map<String, List<Point>> lines =
                Map.of("time", List.of(new Point(first, 1, "low", true), new Point(last, high, "high", false)));
        String picture = LogChart.picture("Growth", new Axis("ranks", 2), new Axis("ms", 10), lines);
        List<MatchResult> verticals = VERTICAL.matcher(picture).results().toList();
        assertThat(picture)
                .contains("<circle cx=\"" + verticals.getFirst().group(1) + "\"", "<title>low</title>")
                .contains("<circle cx=\"" + verticals.getLast().group(1) + "\"", "<title>high</title>");
    }
}
