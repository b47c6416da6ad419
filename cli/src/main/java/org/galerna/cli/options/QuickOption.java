package org.galerna.cli.options;

import picocli.CommandLine.Option;

/** A trial of a command that measures. */
public final class QuickOption {
    @Option(
            names = "--quick",
            description = "run so briefly that the figures mean nothing, to see that everything works")
    private boolean quick;

    /** Whether it is given. */
    public boolean isGiven() {
        return quick;
    }
}
