package org.galerna.cli.profile;

import java.util.Locale;
import org.galerna.profile.analysis.Figures;
import org.galerna.profile.analysis.Profile;

/** Who has sent to whom, as a heat map; several ranks share a field where there are too many. */
final class MatrixChart {
    private static final int MOST_FIELDS = 64;
    private static final int SIZE = 400;
    private static final int MARGIN = 52;
    private static final double FAINTEST = 0.12;
    private static final int LABELS = 16;
    /** Where numbers of ranks have three digits or more. */
    private static final int LABELS_OF_MANY_RANKS = 8;

    private final Profile profile;
    private final int perField;
    private final int fields;
    private final long[][] messages;
    private final long[][] bytes;
    private long most;

    MatrixChart(Profile profile) {
        this.profile = profile;
        this.perField = Math.ceilDiv(profile.ranks(), MOST_FIELDS);
        this.fields = Math.ceilDiv(profile.ranks(), perField);
        this.messages = new long[fields][fields];
        this.bytes = new long[fields][fields];
        for (Profile.Cell cell : profile.matrix()) {
            int row = cell.from() / perField;
            int column = cell.to() / perField;
            messages[row][column] += cell.messages() + cell.collectiveMessages();
            bytes[row][column] += cell.bytes() + cell.collectiveBytes();
            most = Math.max(most, bytes[row][column]);
        }
    }

    /** The bytes of the field that has most of them. */
    long most() {
        return most;
    }

    String svg() {
        double side = (double) SIZE / fields;
        StringBuilder svg = new StringBuilder(
                "<svg viewBox=\"0 0 %d %d\" role=img aria-label=\"heat map of bytes sent from rank to rank; the JSON has the numbers\">\n"
                        .formatted(MARGIN + SIZE + 2, MARGIN + SIZE + 2));
        svg.append("<rect class=own x=%d y=%d width=%d height=%d />\n".formatted(MARGIN, MARGIN, SIZE, SIZE));
        for (int row = 0; row < fields; row++) {
            for (int column = 0; column < fields; column++) {
                if (messages[row][column] > 0) {
                    double share = Math.log1p((double) bytes[row][column]) / Math.log1p((double) Math.max(1, most));
                    svg.append(String.format(
                            Locale.ROOT,
                            "<rect class=heat x=%.1f y=%.1f width=%.1f height=%.1f opacity=%.2f><title>%s → %s: %s messages, %s</title></rect>\n",
                            MARGIN + column * side,
                            MARGIN + row * side,
                            side - 0.5,
                            side - 0.5,
                            FAINTEST + (1 - FAINTEST) * share,
                            name(row),
                            name(column),
                            Figures.count(messages[row][column]),
                            Figures.bytes(bytes[row][column])));
                }
            }
        }
        int step = Math.ceilDiv(fields, profile.ranks() > 100 ? LABELS_OF_MANY_RANKS : LABELS);
        for (int field = 0; field < fields; field += step) {
            double middle = MARGIN + (field + 0.5) * side;
            String first = String.valueOf(field * perField);
            svg.append("<text x=%.1f y=%d text-anchor=middle>%s</text>".formatted(middle, MARGIN - 6, first))
                    .append("<text x=%d y=%.1f text-anchor=end>%s</text>\n".formatted(MARGIN - 6, middle + 4, first));
        }
        svg.append("<text x=%d y=12>to →</text><text x=2 y=%d>from ↓</text>\n".formatted(MARGIN, MARGIN - 22));
        return svg.append("</svg>").toString();
    }

    private String name(int field) {
        return ProfilePage.ranksOf(field * perField, Math.min(profile.ranks(), (field + 1) * perField) - 1);
    }
}
