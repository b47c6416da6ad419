package org.galerna.bench.report;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One run. Its figures are to be compared with each other; those of other runs only by their ratios.
 *
 * @param title what the user calls this run
 * @param time when it began
 * @param command what was typed to get it, so that it can be repeated
 * @param versions of Galerna and of the systems it is compared with, by the short name of the system; systems without one are
 *     missing
 * @param notes what a reader must know, such as peers that were left out and why
 */
public record Report(
        String title,
        Instant time,
        String command,
        Machine machine,
        SortedMap<String, String> versions,
        List<String> notes,
        List<Result> results) {
    /** Copies the collections. Files of earlier versions have no versions of systems: they are null here, and then empty. */
    public Report {
        versions = Collections.unmodifiableSortedMap(versions == null ? new TreeMap<>() : new TreeMap<>(versions));
        notes = List.copyOf(notes);
        results = List.copyOf(results);
    }
}
