package org.galerna.bench.report;

import java.time.Instant;
import java.util.List;

/**
 * One run. Its figures are to be compared with each other; those of other runs only by their ratios.
 *
 * @param title what the user calls this run
 * @param time when it began
 * @param command what was typed to get it, so that it can be repeated
 * @param notes what a reader must know, such as peers that were left out and why
 */
public record Report(
        String title, Instant time, String command, Machine machine, List<String> notes, List<Result> results) {
    /** Copies the lists. */
    public Report {
        notes = List.copyOf(notes);
        results = List.copyOf(results);
    }
}
