package org.galerna.launch.report;

import java.util.List;

/**
 * Where the ranks of a job are that goes on.
 *
 * @param positions their threads
 */
public record Whereabouts(List<RankPosition> positions) {
    /** With the list copied. */
    public Whereabouts {
        positions = List.copyOf(positions);
    }

    /** In the words of the reports on jobs that have not ended in time, with the cycle if ranks wait for each other. */
    public String text() {
        return new ReportText(List.of()).where(positions);
    }
}
