package org.galerna.cli.options;

import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** A trial of a command that measures. */
public final class QuickOption {
    /** What a report of such a trial says. */
    private static final String NOTE = "--quick ran so briefly that the figures mean nothing";

    @Option(
            names = "--quick",
            description = "run so briefly that the figures mean nothing, to see that everything works")
    private boolean quick;

    /** Whether it is given. */
    public boolean isGiven() {
        return quick;
    }

    /** The notes of a report of such a trial, which say so first. */
    public static List<String> notes(List<String> others) {
        return Stream.concat(Stream.of(NOTE), others.stream()).toList();
    }
}
