package org.galerna.applications.fdtd;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * What to simulate.
 *
 * @param width columns of the grid, walls included
 * @param height rows of the grid, walls included
 * @param cellSize edge of a cell in m
 * @param steps number of time steps
 * @param courant Courant number {@code c dt / dx}
 * @param source where the pulse enters
 * @param maskFile picture of the obstacles, relative to the folder of the parameter file
 * @param maskThreshold pixels darker than this (0 black, 1 white) are conductors
 * @param energyInterval steps from one measurement of the energy to the next
 * @param pictureScale field strength in V/m of the ends of the colour map; empty: chosen from the field
 */
public record Parameters(
        int width,
        int height,
        double cellSize,
        int steps,
        double courant,
        Source source,
        Optional<String> maskFile,
        double maskThreshold,
        int energyInterval,
        OptionalDouble pictureScale) {
    /** Speed of light in vacuum, m/s. */
    public static final double SPEED_OF_LIGHT = 299_792_458.0;

    /** Permittivity of vacuum, F/m (CODATA 2022). */
    public static final double PERMITTIVITY = 8.854_187_8188e-12;

    /** Largest stable Courant number in two dimensions. */
    public static final double COURANT_LIMIT = Math.sqrt(0.5);

    private static final int MINIMUM_CELLS_PER_WAVELENGTH = 8;

    /**
     * Reads a parameter text.
     *
     * @param name what messages call the file
     * @throws ParameterException naming file, line, key and what is allowed
     */
    public static Parameters parse(String name, String text) {
        ParameterFile file = new ParameterFile(name, text);
        int width = file.integer("grid.width", 8, 65_536, "cells");
        int height = file.integer("grid.height", 8, 65_536, "cells");
        if ((long) width * height > Integer.MAX_VALUE - 64) {
            throw file.error(
                    "grid.height", width + " by " + height + " cells are more than the 2^31 that are supported");
        }
        double cellSize = file.number("grid.cell", 1e-12, 1e6, "m");
        int steps = file.integer("steps", 1, 100_000_000, "time steps");
        double courant = courant(file);
        Source source = source(file, width, height, cellSize);
        Optional<String> mask = file.text("obstacles.mask");
        double threshold = file.number("obstacles.threshold", 0.0, 1.0, "(0 black, 1 white)", 0.5);
        int energyInterval = file.integer("energy.interval", 1, 100_000_000, "time steps", 20);
        OptionalDouble pictureScale = pictureScale(file);
        file.rejectUnknownKeys();
        return new Parameters(
                width, height, cellSize, steps, courant, source, mask, threshold, energyInterval, pictureScale);
    }

    private static double courant(ParameterFile file) {
        double courant = file.number("courant", 1e-6, Double.MAX_VALUE, "", 0.7);
        if (courant > COURANT_LIMIT) {
            throw file.error(
                    "courant",
                    String.format(
                            Locale.ROOT,
                            "the scheme is unstable with a Courant number (c dt / dx) of %s: in two dimensions it must"
                                    + " not exceed 1/sqrt(2) = %.4f",
                            courant,
                            COURANT_LIMIT));
        }
        return courant;
    }

    private static Source source(ParameterFile file, int width, int height, double cellSize) {
        int x = file.integer("source.x", 1, width - 2, "(column inside the walls)");
        int y = file.integer("source.y", 1, height - 2, "(row inside the walls)");
        int columns = file.integer("source.width", 1, width - 1 - x, "cells (up to the wall)", 1);
        int rows = file.integer("source.height", 1, height - 1 - y, "cells (up to the wall)", 1);
        double frequency = file.number("source.frequency", 1.0, 1e21, "Hz");
        double cells = SPEED_OF_LIGHT / (frequency * cellSize);
        if (cells < MINIMUM_CELLS_PER_WAVELENGTH) {
            throw file.error(
                    "source.frequency",
                    String.format(
                            Locale.ROOT,
                            "a wavelength is only %.2f cells of %s m long, at least %d are needed: take at most"
                                    + " %.4g Hz, or smaller cells",
                            cells,
                            cellSize,
                            MINIMUM_CELLS_PER_WAVELENGTH,
                            SPEED_OF_LIGHT / (MINIMUM_CELLS_PER_WAVELENGTH * cellSize)));
        }
        double delay = file.number("source.delay", 0.0, 1e12, "s", 1.5 / frequency);
        double amplitude = file.number("source.amplitude", -1e100, 1e100, "V/m", 1.0);
        String kind = file.choice("source.kind", Set.of("soft", "hard"), "soft");
        return new Source(
                new Tile(x, y, columns, rows),
                Source.Kind.valueOf(kind.toUpperCase(Locale.ROOT)),
                new RickerWavelet(frequency, delay, amplitude));
    }

    private static OptionalDouble pictureScale(ParameterFile file) {
        double scale = file.number("picture.scale", 1e-300, 1e100, "V/m", Double.NaN);
        return Double.isNaN(scale) ? OptionalDouble.empty() : OptionalDouble.of(scale);
    }

    /** The same with another number of time steps. */
    public Parameters withSteps(int number) {
        return new Parameters(
                width,
                height,
                cellSize,
                number,
                courant,
                source,
                maskFile,
                maskThreshold,
                energyInterval,
                pictureScale);
    }

    /** Duration of a step in s. */
    public double timeStep() {
        return courant * cellSize / SPEED_OF_LIGHT;
    }

    /** The source at every step, in V/m. */
    public double[] pulses() {
        return source.wavelet().sampled(steps, timeStep());
    }

    /** What turns the sum of {@link Subdomain#stepMeasuringEnergy} into energy per metre of height, J/m. */
    public double energyFactor() {
        return 0.5 * PERMITTIVITY * cellSize * cellSize;
    }

    /**
     * Checks that the source is not on a conductor.
     *
     * @throws ParameterException if it is
     */
    public void checkSource(String name, Obstacles obstacles) {
        Tile region = source.region();
        for (int y = region.y(); y < region.endY(); y++) {
            for (int x = region.x(); x < region.endX(); x++) {
                if (obstacles.isConductor(x, y)) {
                    throw new ParameterException(name + ": the source covers column " + x + ", row " + y
                            + ", but the obstacles have a conductor there: move the source");
                }
            }
        }
    }
}
