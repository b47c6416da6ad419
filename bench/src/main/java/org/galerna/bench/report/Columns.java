package org.galerna.bench.report;

import java.util.ArrayList;
import java.util.List;

/** Rows of words as lines whose columns are as wide as they must be. */
public final class Columns {
    private static final String INDENT = "  ";

    private Columns() {}

    /**
     * The lines, each of which ends with the end of a line.
     *
     * @param rows each with as many words as the first one
     * @param left number of the column whose words begin at the left; those of all others end at the right
     * @param gap what is between two columns
     */
    public static String layOut(List<List<String>> rows, int left, String gap) {
        StringBuilder text = new StringBuilder();
        List<Integer> widths = widths(rows);
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder(INDENT);
            for (int column = 0; column < row.size(); column++) {
                String word = row.get(column);
                String space = " ".repeat(widths.get(column) - word.length());
                line.append(column == 0 ? "" : gap).append(column == left ? word + space : space + word);
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private static List<Integer> widths(List<List<String>> rows) {
        List<Integer> widths = new ArrayList<>();
        for (List<String> row : rows) {
            for (int column = 0; column < row.size(); column++) {
                int length = row.get(column).length();
                if (column == widths.size()) {
                    widths.add(length);
                } else {
                    widths.set(column, Math.max(widths.get(column), length));
                }
            }
        }
        return widths;
    }
}
