package org.galerna.applications.fdtd;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/**
 * What a run cost.
 *
 * @param ranks number of ranks
 * @param columns tiles in x
 * @param rows tiles in y
 * @param cells cells of the grid
 * @param steps time steps
 * @param seconds time of all steps, without drawing
 * @param messages messages of the halo exchange, sent by all ranks
 * @param bytes payload of those messages
 */
public record RunSummary(
        int ranks, int columns, int rows, long cells, int steps, double seconds, long messages, long bytes) {

    /** Cells advanced by one step in a second. */
    public double cellsPerSecond() {
        return cells * (double) steps / seconds;
    }

    /**
     * Writes {@code key = value} lines.
     *
     * @throws UncheckedIOException if that fails
     */
    public void write(Path file) {
        String text = """
                ranks = %d
                columns = %d
                rows = %d
                cells = %d
                steps = %d
                seconds = %s
                messages = %d
                bytes = %d
                """.formatted(ranks, columns, rows, cells, steps, seconds, messages, bytes);
        try {
            Files.writeString(file, text);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot write " + file, failure);
        }
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @throws UncheckedIOException if that fails
     */
    public static RunSummary read(Path file) {
        Properties values = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            values.load(reader);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot read " + file, failure);
        }
        return new RunSummary(
                Integer.parseInt(value(values, "ranks")),
                Integer.parseInt(value(values, "columns")),
                Integer.parseInt(value(values, "rows")),
                Long.parseLong(value(values, "cells")),
                Integer.parseInt(value(values, "steps")),
                Double.parseDouble(value(values, "seconds")),
                Long.parseLong(value(values, "messages")),
                Long.parseLong(value(values, "bytes")));
    }

    private static String value(Properties values, String key) {
        String value = values.getProperty(key);
        if (value == null) {
            throw new IllegalArgumentException("a summary of a run has no " + key);
        }
        return value;
    }
}
