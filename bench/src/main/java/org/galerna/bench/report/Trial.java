package org.galerna.bench.report;

import java.util.List;
import java.util.stream.Stream;

/** A run that only shows that everything works. */
public final class Trial {
    private static final String NOTE = "--quick ran so briefly that the figures mean nothing";

    private Trial() {}

    /** The notes of a report; those of a trial say so first. */
    public static List<String> notes(boolean trial, List<String> others) {
        return trial ? Stream.concat(Stream.of(NOTE), others.stream()).toList() : others;
    }
}
