package org.galerna.applications.cosmology;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.galerna.applications.Progress;

/**
 * The command line of {@link Cosmology}.
 *
 * @param side particles along the box
 * @param mesh cells of the mesh along the box
 * @param box edge of the box in Mpc/h
 * @param steps number of steps
 * @param start scale factor at the beginning
 * @param end scale factor at the end
 * @param opening largest edge of a node that acts as a whole, in units of its distance
 * @param frames number of pictures of the film
 * @param output folder for pictures and tables; empty for none of them
 * @param progress how progress is told
 */
record CosmologyOptions(
        int side,
        int mesh,
        double box,
        int steps,
        double start,
        double end,
        double opening,
        long seed,
        int frames,
        Optional<Path> output,
        Progress.Mode progress) {
    static final String USAGE = """
            usage: Cosmology [options]
              --particles N     particles along the box, a power of two from 16 to 1024 (default: 64)
              --mesh N          cells of the mesh along the box, a power of two (default: twice the particles)
              --box LENGTH      edge of the box in Mpc/h (default: 50)
              --steps N         steps in time (default: 64)
              --start A         scale factor at the beginning (default: 0.02)
              --end A           scale factor at the end (default: 1, today)
              --opening ANGLE   largest node that acts as a whole, from 0.1 to 0.8 (default: 0.6)
              --seed N          another universe for each number (default: 1)
              --frames N        pictures of a film, at most one for each step (default: 0)
              --output FOLDER   where pictures and tables go (default: nothing is written)
              --progress MODE   auto, bar, lines or none (default: auto)""";

    private static final int LEAST_MESH = 16;

    /**
     * Understands arguments.
     *
     * @throws IllegalArgumentException if they are wrong
     */
    static CosmologyOptions parse(String[] arguments) {
        int side = 64;
        int mesh = 0;
        double box = 50;
        int steps = 64;
        double start = 0.02;
        double end = 1;
        double opening = 0.6;
        long seed = 1;
        int frames = 0;
        Optional<Path> output = Optional.empty();
        Progress.Mode progress = Progress.Mode.AUTO;
        for (int index = 0; index < arguments.length; index += 2) {
            String option = arguments[index];
            if (index + 1 == arguments.length) {
                throw new IllegalArgumentException(option + " is not understood, or lacks its value\n" + USAGE);
            }
            String value = arguments[index + 1];
            switch (option) {
                case "--particles" -> side = powerOfTwo(option, value, 1024);
                case "--mesh" -> mesh = powerOfTwo(option, value, 2048);
                case "--box" -> box = number(option, value, 1, 1e5);
                case "--steps" -> steps = (int) number(option, value, 1, 1e6);
                case "--start" -> start = number(option, value, 1e-3, 1);
                case "--end" -> end = number(option, value, 1e-3, 10);
                case "--opening" -> opening = number(option, value, 0.1, 0.8);
                case "--seed" -> seed = (long) number(option, value, 0, 1e15);
                case "--frames" -> frames = (int) number(option, value, 0, 1e4);
                case "--output" -> output = Optional.of(Path.of(value));
                case "--progress" -> progress = mode(value);
                default -> throw new IllegalArgumentException("\"" + option + "\" is not understood\n" + USAGE);
            }
        }
        if (end <= start) {
            throw new IllegalArgumentException("--end " + end + " is not after --start " + start);
        }
        if (frames > steps) {
            throw new IllegalArgumentException(
                    "--frames takes a number to " + steps + " here, one for each step, not " + frames);
        }
        if (frames > 0 && output.isEmpty()) {
            throw new IllegalArgumentException("--frames needs --output FOLDER");
        }
        int cells = mesh == 0 ? Math.max(LEAST_MESH, 2 * side) : mesh;
        return new CosmologyOptions(side, cells, box, steps, start, end, opening, seed, frames, output, progress);
    }

    private static int powerOfTwo(String option, String text, int most) {
        double value = number(option, text, LEAST_MESH, most);
        if (Integer.bitCount((int) value) != 1 || value != (int) value) {
            throw new IllegalArgumentException(
                    option + " takes a power of two from " + LEAST_MESH + " to " + most + ", not " + text);
        }
        return (int) value;
    }

    private static double number(String option, String text, double least, double most) {
        try {
            double value = Double.parseDouble(text);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException notANumber) {
            throw outOfRange(option, text, least, most);
        }
        throw outOfRange(option, text, least, most);
    }

    private static IllegalArgumentException outOfRange(String option, String text, double least, double most) {
        return new IllegalArgumentException(String.format(
                Locale.ROOT, "%s takes a number from %s to %s, not %s", option, plain(least), plain(most), text));
    }

    private static String plain(double value) {
        return value == (long) value ? Long.toString((long) value) : Double.toString(value);
    }

    private static Progress.Mode mode(String text) {
        for (Progress.Mode mode : Progress.Mode.values()) {
            if (mode.name().toLowerCase(Locale.ROOT).equals(text)) {
                return mode;
            }
        }
        throw new IllegalArgumentException("--progress is auto, bar, lines or none, not " + text);
    }

    /** What the universe is made of: matter, and a cosmological constant that makes it flat. */
    Universe.Model model() {
        return new Universe.Model(new Background(0.31, 0.69), box, side, mesh, 0.04, opening, seed);
    }

    /** The scale factor after a step. Its cube root grows evenly: steps are longer at first, where motions are simple. */
    double after(int step) {
        double root = Math.cbrt(start) + (Math.cbrt(end) - Math.cbrt(start)) * step / steps;
        return step == steps ? end : root * root * root;
    }
}
