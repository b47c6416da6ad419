package org.galerna.applications.fdtd;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes the energy in the cavity over time as comma-separated values with a header. Numbers are written with all their
 * digits, so that two files are equal if and only if the energies are. Not thread-safe.
 */
public final class EnergyLog implements AutoCloseable {
    private final Path file;
    private final BufferedWriter writer;
    private final Parameters parameters;

    /**
     * Creates or replaces a file.
     *
     * @throws UncheckedIOException if that fails
     */
    public EnergyLog(Path file, Parameters parameters) {
        this.file = file;
        this.parameters = parameters;
        try {
            this.writer = Files.newBufferedWriter(file);
            writer.write("step,time [s],energy [J/m]\n");
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot write " + file, failure);
        }
    }

    /**
     * Appends a line.
     *
     * @param step steps done
     * @param sum as {@link Subdomain#stepMeasuringEnergy} adds it up over the grid
     * @throws UncheckedIOException if the file cannot be written
     */
    public void add(int step, double sum) {
        try {
            writer.write(step + "," + step * parameters.timeStep() + "," + sum * parameters.energyFactor() + "\n");
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot write " + file, failure);
        }
    }

    @Override
    public void close() {
        try {
            writer.close();
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot write " + file, failure);
        }
    }
}
