package org.galerna.bench.report;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Lines in a chart with two logarithmic axes, as SVG inside of a page that has {@link #STYLE}. */
public final class LogChart {
    /** Style sheet of a page with such charts: light and dark, and readable on a phone. */
    public static final String STYLE = """
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
            @media(max-width:40rem){svg text{font-size:22px}}
            .grid{stroke:var(--line)}
            .scroll{overflow-x:auto}
            table{border-collapse:collapse;font-size:.875rem;font-variant-numeric:tabular-nums;white-space:nowrap}
            th,td{padding:.2rem .65rem;text-align:right;border-bottom:1px solid var(--line)}
            th:nth-child(2),td:nth-child(2),.names th:first-child,.names td:first-child{text-align:left}
            .names th:nth-child(2),.names td:nth-child(2){text-align:right}
            .best{font-weight:bold}
            ul.key{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem 1rem;padding:0;margin:.25rem 0}
            ul.key svg{width:28px;height:12px;display:inline-block;vertical-align:middle;margin-right:.35rem}
            """;

    private static final int WIDTH = 720;
    private static final int HEIGHT = 390;
    /** Of the grid at least; labels that need more get more. */
    private static final int LEFT = 64;

    private static final int RIGHT = 12;
    private static final int TOP = 44;
    private static final int BOTTOM = 58;
    private static final int COLOURS = 8;
    private static final double MOST_LABELS = 9;
    private static final int LABEL_GAP = 6;
    /** Between text and the edge of the chart, which cuts letters off. */
    private static final int EDGE = 4;
    /** Width of a digit in the largest font of {@link #STYLE}, 22 pixels. */
    private static final int DIGIT = 14;

    // the key of a picture
    private static final int KEYS_BESIDE = 4;
    private static final int KEY_LINE = 20;
    private static final int KEY_WIDTH = 28;

    private static final Pattern COLOUR = Pattern.compile("--(paper|c\\d):(#\\p{XDigit}+)");

    private LogChart() {}

    /**
     * An axis.
     *
     * @param label what it shows
     * @param base of its lines: 2, or 10
     */
    public record Axis(String label, int base) {}

    /**
     * A place on a line.
     *
     * @param across on the horizontal axis; above 0
     * @param up on the vertical axis; above 0
     * @param title what a reader sees who points at it
     * @param isFilled whether its circle is filled
     */
    public record Point(double across, double up, String title, boolean isFilled) {}

    /**
     * The chart, and its key below.
     *
     * @param description what it shows, for readers who do not see it
     * @param lines by name, in the order of their colours; at least one has a point
     */
    public static String svg(String description, Axis across, Axis up, Map<String, List<Point>> lines) {
        StringBuilder page = new StringBuilder();
        page.append("<svg viewBox=\"0 0 %d %d\" role=img aria-label=\"%s\">\n"
                .formatted(WIDTH, HEIGHT, Html.escape(description)));
        plot(page, across, up, lines);
        page.append("</svg>\n<ul class=key>\n");
        List<String> names = List.copyOf(lines.keySet());
        for (int number = 0; number < names.size(); number++) {
            page.append(
                    "<li><svg viewBox=\"0 0 28 12\" aria-hidden=true><line x1=0 y1=6 x2=28 y2=6 stroke=\"var(--c%d)\" stroke-width=3%s /></svg>%s</li>\n"
                            .formatted(number % COLOURS, dashes(number), Html.escape(names.get(number))));
        }
        return page.append("</ul>\n").toString();
    }

    /**
     * The chart with its key as a file of its own, which documents show as a picture.
     *
     * @param title what it shows
     * @param lines as for {@link #svg}
     */
    public static String picture(String title, Axis across, Axis up, Map<String, List<Point>> lines) {
        List<String> names = List.copyOf(lines.keySet());
        int height = HEIGHT + KEY_LINE * (Math.ceilDiv(names.size(), KEYS_BESIDE) + 1);
        StringBuilder file = new StringBuilder();
        file.append("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\">\n"
                .formatted(WIDTH, height));
        file.append("<title>%s</title>\n<style>text{fill:#57606a;font-size:13px}.grid{stroke:#d5dae0}</style>\n"
                .formatted(Html.escape(title)));
        file.append("<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n".formatted(WIDTH, height));
        plot(file, across, up, lines);
        for (int number = 0; number < names.size(); number++) {
            int x = LEFT + number % KEYS_BESIDE * (WIDTH - LEFT) / KEYS_BESIDE;
            int y = HEIGHT + KEY_LINE * (number / KEYS_BESIDE) + KEY_LINE;
            file.append("<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"var(--c%d)\" stroke-width=\"3\"%s/>\n"
                    .formatted(x, y, x + KEY_WIDTH, y, number % COLOURS, dashes(number)));
            text(file, x + KEY_WIDTH + 6.0, y + 4.0, "start", names.get(number));
        }
        Matcher colour = COLOUR.matcher(STYLE); // the first ones, those on paper
        String picture = file.append("</svg>\n").toString();
        for (int number = 0; number < COLOURS + 1 && colour.find(); number++) {
            picture = picture.replace("var(--" + colour.group(1) + ")", colour.group(2));
        }
        return picture;
    }

    private static void plot(StringBuilder page, Axis across, Axis up, Map<String, List<Point>> lines) {
        List<Point> all = lines.values().stream().flatMap(List::stream).toList();
        Scale vertical = Scale.of(all.stream().mapToDouble(Point::up).toArray(), up.base, HEIGHT - BOTTOM, TOP);
        double left = Math.max(LEFT, EDGE + vertical.widestLabel() + LABEL_GAP);
        Scale horizontal = Scale.of(all.stream().mapToDouble(Point::across).toArray(), across.base, left, WIDTH)
                .withRoomForItsLastLabel();
        double right = horizontal.to;
        double room = Math.min(MOST_LABELS, (right - left) / (horizontal.widestLabel() + LABEL_GAP));
        int step = (int) Math.ceil((horizontal.last - horizontal.first) / room);
        for (int power = horizontal.first; power <= horizontal.last; power += Math.max(1, step)) {
            double value = Math.pow(across.base, power);
            double x = horizontal.place(value);
            line(page, x, TOP, x, HEIGHT - BOTTOM);
            text(page, x, HEIGHT - BOTTOM + 24, "middle", label(value));
        }
        for (int power = vertical.first; power <= vertical.last; power++) {
            double value = Math.pow(up.base, power);
            double y = vertical.place(value);
            line(page, left, y, right, y);
            text(page, left - LABEL_GAP, y + 4, "end", label(value));
        }
        text(page, (left + right) / 2, HEIGHT - 6, "middle", across.label);
        text(page, EDGE, TOP - 20, "start", up.label);
        int number = 0;
        for (List<Point> points : lines.values()) {
            polyline(page, number++, points, horizontal, vertical);
        }
    }

    private static void polyline(StringBuilder page, int number, List<Point> points, Scale horizontal, Scale vertical) {
        page.append("<polyline fill=\"none\" stroke=\"var(--c%d)\" stroke-width=\"2\"%s points=\"%s\"/>\n"
                .formatted(
                        number % COLOURS,
                        dashes(number),
                        points.stream()
                                .map(point -> String.format(
                                        Locale.ROOT,
                                        "%.1f,%.1f",
                                        horizontal.place(point.across),
                                        vertical.place(point.up)))
                                .collect(Collectors.joining(" "))));
        for (Point point : points) {
            page.append(String.format(
                    Locale.ROOT,
                    "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\" stroke=\"var(--c%d)\"><title>%s</title></circle>\n",
                    horizontal.place(point.across),
                    vertical.place(point.up),
                    point.isFilled ? "var(--c" + number % COLOURS + ")" : "var(--paper)",
                    number % COLOURS,
                    Html.escape(point.title)));
        }
    }

    /** So that lines are told apart without colours, too. */
    private static String dashes(int number) {
        return switch ((number + number / COLOURS) % 4) {
            case 0 -> "";
            case 1 -> " stroke-dasharray=\"8 4\"";
            case 2 -> " stroke-dasharray=\"2 3\"";
            default -> " stroke-dasharray=\"9 3 2 3\"";
        };
    }

    private static String label(double value) {
        return value >= 1 ? String.format(Locale.ROOT, "%.0f", value) : String.valueOf((float) value);
    }

    private static void line(StringBuilder page, double fromX, double fromY, double toX, double toY) {
        page.append(String.format(
                Locale.ROOT,
                "<line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
                fromX,
                fromY,
                toX,
                toY));
    }

    private static void text(StringBuilder page, double x, double y, String anchor, String text) {
        page.append(String.format(
                Locale.ROOT,
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n",
                x,
                y,
                anchor,
                Html.escape(text)));
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

        /** Labels of an axis that goes across are in the middle below their places. */
        Scale withRoomForItsLastLabel() {
            return new Scale(base, first, last, from, to - Math.max(RIGHT, EDGE + widestLabel() / 2.0));
        }

        int widestLabel() {
            int most = 0;
            for (int power = first; power <= last; power++) {
                most = Math.max(most, DIGIT * label(Math.pow(base, power)).length());
            }
            return most;
        }

        double place(double value) {
            double power = Math.log(value) / Math.log(base);
            return from + (to - from) * (power - first) / (last - first);
        }
    }
}
