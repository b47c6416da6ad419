package org.galerna.applications.cosmology;

import java.nio.file.Path;
import java.util.Optional;
import org.galerna.applications.OptionValue;
import org.galerna.applications.ProgramException;
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
 * @param warmUpSeconds time for the compiler before the steps are timed
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
        double warmUpSeconds,
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
              --warm-up SECONDS first work on another universe, so long and until the compiler is done
              --output FOLDER   where pictures and tables go (default: nothing is written)
              --progress MODE   auto, bar, lines or none (default: auto)""";

    private static final int LEAST_MESH = 16;

    /**
     * Understands arguments.
     *
     * @throws ProgramException if they are wrong
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
        double warmUpSeconds = 0;
        Optional<Path> output = Optional.empty();
        Progress.Mode progress = Progress.Mode.AUTO;
        for (int index = 0; index < arguments.length; index += 2) {
            String option = arguments[index];
            if (index + 1 == arguments.length) {
                throw new ProgramException(option + " is not understood, or lacks its value\n" + USAGE);
            }
            String value = arguments[index + 1];
            switch (option) {
                case "--particles" -> side = OptionValue.powerOfTwo(option, value, LEAST_MESH, 1024);
                case "--mesh" -> mesh = OptionValue.powerOfTwo(option, value, LEAST_MESH, 2048);
                case "--box" -> box = OptionValue.number(option, value, 1, 1e5);
                case "--steps" -> steps = OptionValue.whole(option, value, 1, 1_000_000);
                case "--start" -> start = OptionValue.number(option, value, 1e-3, 1);
                case "--end" -> end = OptionValue.number(option, value, 1e-3, 10);
                case "--opening" -> opening = OptionValue.number(option, value, 0.1, 0.8);
                case "--seed" -> seed = (long) OptionValue.number(option, value, 0, 1e15);
                case "--frames" -> frames = OptionValue.whole(option, value, 0, 10_000);
                case "--warm-up" -> warmUpSeconds = OptionValue.number(option, value, 0, 3600);
                case "--output" -> output = Optional.of(Path.of(value));
                case "--progress" -> progress = OptionValue.progress(option, value);
                default -> throw new ProgramException("\"" + option + "\" is not understood\n" + USAGE);
            }
        }
        if (end <= start) {
            throw new ProgramException("--end " + end + " is not after --start " + start);
        }
        if (frames > steps) {
            throw new ProgramException(
                    "--frames takes a number to " + steps + " here, one for each step, not " + frames);
        }
        if (frames > 0 && output.isEmpty()) {
            throw new ProgramException("--frames needs --output FOLDER");
        }
        int cells = mesh == 0 ? Math.max(LEAST_MESH, 2 * side) : mesh;
        return new CosmologyOptions(
                side, cells, box, steps, start, end, opening, seed, frames, warmUpSeconds, output, progress);
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
