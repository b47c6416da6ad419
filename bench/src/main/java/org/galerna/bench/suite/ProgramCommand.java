package org.galerna.bench.suite;

import java.util.List;
import java.util.Map;

/**
 * How a program of ranks is started.
 *
 * @param words the command and its arguments
 * @param environment variables that it gets, beside those of this process
 */
public record ProgramCommand(List<String> words, Map<String, String> environment) {
    /** Copies both. */
    public ProgramCommand {
        words = List.copyOf(words);
        environment = Map.copyOf(environment);
    }
}
