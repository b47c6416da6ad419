package org.galerna.cli.bench;

import org.galerna.cli.usage.UsageException;
import picocli.CommandLine.Option;

/** How streams of messages are sent. */
final class StreamOptions {
    @Option(
            names = "--window",
            paramLabel = "N",
            description = "messages to send before each acknowledgement; default: ${DEFAULT-VALUE}")
    private int window = 64;

    int window() {
        if (window < 1) {
            throw new UsageException("--window takes a number from 1, not " + window);
        }
        return window;
    }
}
