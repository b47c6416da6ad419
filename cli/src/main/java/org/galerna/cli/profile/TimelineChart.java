package org.galerna.cli.profile;

import java.util.List;
import java.util.Locale;
import org.galerna.profile.CallKind;
import org.galerna.profile.analysis.Figures;
import org.galerna.profile.analysis.Profile;

/** A row for each rank, or for several where there are too many: from the left to the right what it does, stacked by kind. */
final class TimelineChart {
    private static final int MOST_ROWS = 64;
    private static final int COLUMNS = 400;
    private static final int LEFT = 80;
    private static final int RIGHT = 8;
    private static final int COLUMN_WIDTH = 2;
    private static final int WIDTH = LEFT + COLUMNS * COLUMN_WIDTH + RIGHT;
    private static final int BOTTOM = 22;
    private static final int LARGEST_HEIGHT = 40;
    private static final int SMALLEST_HEIGHT = 9;
    private static final int ROOM = 640;
    private static final int MOST_TICKS = 8;
    /** A row that is lower has its label only if the rows above leave room for it. */
    private static final int LABEL_HEIGHT = 16;

    private static final int KINDS = CallKind.values().length;

    private final Profile profile;

    TimelineChart(Profile profile) {
        this.profile = profile;
    }

    String svg() {
        List<Profile.Rank> ranks = profile.each();
        int perRow = Math.ceilDiv(ranks.size(), MOST_ROWS);
        int rows = Math.ceilDiv(ranks.size(), perRow);
        int height = Math.clamp(ROOM / rows, SMALLEST_HEIGHT, LARGEST_HEIGHT);
        StringBuilder svg = new StringBuilder(
                "<svg viewBox=\"0 0 %d %d\" role=img aria-label=\"timeline of the ranks; the table below has the sums\">\n"
                        .formatted(WIDTH, rows * height + BOTTOM));
        for (int row = 0; row < rows; row++) {
            List<Profile.Rank> own = ranks.subList(row * perRow, Math.min(ranks.size(), (row + 1) * perRow));
            boolean isLabelled = row % Math.ceilDiv(LABEL_HEIGHT, height) == 0;
            svg.append(rowOf(own, row * height, height - 2, isLabelled));
        }
        svg.append("<text x=%d y=%d text-anchor=end>rank</text>\n".formatted(LEFT - 6, rows * height + 15));
        double step = roundStep(profile.seconds());
        for (int tick = 0; tick * step <= profile.seconds(); tick++) {
            double x = place(tick * step);
            String anchor = tick == 0 ? "start" : x > WIDTH - RIGHT - 24 ? "end" : "middle";
            svg.append("<line class=grid x1=%.0f x2=%.0f y1=0 y2=%d />".formatted(x, x, rows * height))
                    .append("<text x=%.0f y=%d text-anchor=%s>%s</text>\n"
                            .formatted(x, rows * height + 15, anchor, Figures.time(tick * step)));
        }
        return svg.append("</svg>\n").toString();
    }

    /** Seconds from one tick to the next: 1, 2 or 5 times a power of ten, so that there are few ticks. */
    static double roundStep(double seconds) {
        double power = Math.pow(10, Math.floor(Math.log10(Math.max(seconds, 1e-9) / MOST_TICKS)));
        for (int factor : new int[] {1, 2, 5}) {
            if (seconds <= factor * power * MOST_TICKS) {
                return factor * power;
            }
        }
        return 10 * power;
    }

    private String rowOf(List<Profile.Rank> ranks, int top, int height, boolean isLabelled) {
        double[][] shares = new double[KINDS][COLUMNS];
        double[] off = new double[COLUMNS];
        double begin = profile.seconds();
        double end = 0;
        for (Profile.Rank rank : ranks) {
            begin = Math.min(begin, rank.begin());
            end = Math.max(end, rank.end());
            for (int kind = 0; kind < KINDS; kind++) {
                resample(rank, rank.timeline().get(kind), shares[kind], ranks.size());
            }
            resample(rank, rank.gaps(), off, ranks.size());
        }
        StringBuilder row = new StringBuilder();
        String label =
                ProfilePage.ranksOf(ranks.getFirst().rank(), ranks.getLast().rank());
        if (isLabelled) {
            row.append("<text x=%d y=%d text-anchor=end>%s</text>".formatted(LEFT - 6, top + height / 2 + 4, label));
        }
        row.append("<rect class=own x=%.1f y=%d width=%.1f height=%d />\n"
                .formatted(place(begin), top, Math.max(1, place(end) - place(begin)), height));
        double[] floor = new double[COLUMNS];
        for (int kind = 0; kind < KINDS; kind++) {
            append(row, "k" + kind, area(floor, shares[kind], top, height));
        }
        append(row, "off", area(floor, off, top, height));
        return row.toString();
    }

    private static void append(StringBuilder row, String style, String path) {
        if (!path.isEmpty()) {
            row.append("<path class=%s d=\"%s\"/>\n".formatted(style, path));
        }
    }

    private double place(double seconds) {
        return LEFT + seconds / profile.seconds() * COLUMNS * COLUMN_WIDTH;
    }

    /** Spreads the slices of a rank over the columns of the chart. */
    private void resample(Profile.Rank rank, List<Double> slices, double[] columns, int ranks) {
        double width = profile.seconds() / COLUMNS;
        for (int slice = 0; slice < slices.size(); slice++) {
            double share = slices.get(slice);
            if (share > 0) {
                double from = (rank.slicesBegin() + slice * rank.slice()) / width;
                double to = from + rank.slice() / width;
                for (int column = Math.max(0, (int) from); column < Math.min(COLUMNS, to); column++) {
                    double overlap = Math.min(to, column + 1) - Math.max(from, column);
                    columns[column] += share * overlap / ranks;
                }
            }
        }
    }

    /** The area between what lies below and what lies on it, column by column; raises the floor. */
    private static String area(double[] floor, double[] shares, int top, int height) {
        StringBuilder path = new StringBuilder();
        int column = 0;
        while (column < COLUMNS) {
            int end = column;
            while (end < COLUMNS && same(floor, shares, column, end)) {
                end++;
            }
            if (shares[column] * height >= 0.2) {
                double low = top + height * (1 - Math.min(1, floor[column]));
                double high = top + height * (1 - Math.min(1, floor[column] + shares[column]));
                path.append(String.format(
                        Locale.ROOT,
                        "M%d %.1fV%.1fH%dV%.1fz",
                        LEFT + column * COLUMN_WIDTH,
                        low,
                        high,
                        LEFT + end * COLUMN_WIDTH,
                        low));
            }
            column = end;
        }
        for (int i = 0; i < COLUMNS; i++) {
            floor[i] += shares[i];
        }
        return path.toString();
    }

    private static boolean same(double[] floor, double[] shares, int one, int other) {
        return Math.abs(floor[one] - floor[other]) < 0.01 && Math.abs(shares[one] - shares[other]) < 0.01;
    }
}
