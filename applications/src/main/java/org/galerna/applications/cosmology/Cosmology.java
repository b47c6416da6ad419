package org.galerna.applications.cosmology;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import mpi.Intracomm;
import mpi.MPI;
import org.galerna.applications.Program;
import org.galerna.applications.Progress;
import org.galerna.applications.team.Team;
import org.jspecify.annotations.Nullable;

/**
 * A universe of cold dark matter from its youth to today, on any number of ranks. Rank 0 prints how much the law of D. Layzer and W.
 * M. Irvine for the energies is missed by, and a number made of all bits of all particles, which is the same on any number of ranks.
 */
public final class Cosmology {
    private static final int ROOT = 0;
    /** Of the change of the potential energy. */
    private static final double LARGEST_ERROR = 0.05;

    private static final double WARM_UP_GROWTH = 1.01;

    private final Intracomm ranks;
    private final CosmologyOptions options;
    private final boolean isRoot;
    private double drawingSeconds;

    private Cosmology(Intracomm ranks, CosmologyOptions options) {
        this.ranks = ranks;
        this.options = options;
        this.isRoot = ranks.Rank() == ROOT;
    }

    /** Runs; the exit status is 2 if the arguments are wrong, and 1 if the energies are, or particles are lost. */
    public static void main(String[] arguments) {
        Program.run("cosmology", arguments, (ranks, own) -> new Cosmology(ranks, CosmologyOptions.parse(own)).run());
    }

    private boolean run() {
        if (isRoot) {
            options.output().ifPresent(Cosmology::createFolder);
        }
        warmUp();
        Universe universe = new Universe(ranks, options.model(), options.start());
        Universe.Energies before = universe.energies();
        double[][] early = universe.power();
        double integral = 0;
        ranks.Barrier();
        double start = MPI.Wtime();
        try (Outputs outputs = new Outputs()) {
            outputs.draw(universe, 0);
            double kinetic = before.kinetic();
            for (int step = 1; step <= options.steps(); step++) {
                double from = universe.scaleFactor();
                universe.step(options.after(step));
                double next = universe.kinetic();
                integral += 0.5
                        * (kinetic * from + next * universe.scaleFactor())
                        * Math.log(universe.scaleFactor() / from);
                kinetic = next;
                outputs.draw(universe, step);
            }
            outputs.drawStill(universe);
        }
        ranks.Barrier();
        double seconds = MPI.Wtime() - start - drawingSeconds;
        Universe.Energies after = universe.energies();
        double change = after.potential() * universe.scaleFactor() - before.potential() * options.start();
        double sum = universe.scaleFactor() * (after.kinetic() + after.potential())
                - options.start() * (before.kinetic() + before.potential())
                + integral;
        double error = Math.abs(sum / change);
        return report(universe, seconds, error, early);
    }

    /** Each rank has its own copy of the classes, which the compiler translates for each. */
    private void warmUp() {
        if (options.warmUpSeconds() > 0) {
            Universe another = new Universe(ranks, options.model(), options.start());
            Team.run(
                    ranks,
                    1,
                    rank -> rank.warmUp(
                            options.warmUpSeconds(), () -> another.step(another.scaleFactor() * WARM_UP_GROWTH)));
        }
    }

    private boolean report(Universe universe, double seconds, double error, double[][] early) {
        double[][] late = universe.power();
        double momentum = universe.momentum();
        double imbalance = universe.imbalance();
        long[] state = state(universe.particles());
        long count = (long) options.model().particles();
        if (isRoot) {
            options.output().ifPresent(folder -> writePower(folder.resolve("power.csv"), early, late));
            System.out.printf(
                    Locale.ROOT,
                    "%d particles in a box of %s Mpc/h, %d steps from z = %.1f to %.1f on %d ranks%n"
                            + "energies     Layzer and Irvine's law is missed by %.2f %% of the potential energy%n"
                            + "momentum     %.1e of the sum of all lengths%n"
                            + "work         the busiest rank has %.2f times the mean%n"
                            + "speed        %.2f s, %.3f million particle steps/s%n"
                            + "state        %016x%n",
                    count,
                    options.box() == (long) options.box() ? Long.toString((long) options.box()) : options.box(),
                    options.steps(),
                    1 / options.start() - 1,
                    1 / options.end() - 1,
                    ranks.Size(),
                    100 * error,
                    momentum,
                    imbalance,
                    seconds,
                    (double) count * options.steps() / seconds * 1e-6,
                    state[0]);
            if (state[1] != count) {
                System.err.println("cosmology: " + state[1] + " particles are left of " + count);
            }
            if (error > LARGEST_ERROR) {
                System.err.println("cosmology: the energies are wrong: take more steps");
            }
        }
        return error <= LARGEST_ERROR && state[1] == count;
    }

    /** A number made of all bits of all particles, in whatever order; and their number. */
    private long[] state(Particles particles) {
        long[] here = new long[2];
        for (int index = 0; index < particles.count(); index++) {
            long hash = particles.name[index];
            hash = mix(hash, particles.x[index]);
            hash = mix(hash, particles.y[index]);
            hash = mix(hash, particles.z[index]);
            hash = mix(hash, particles.momentumX[index]);
            hash = mix(hash, particles.momentumY[index]);
            hash = mix(hash, particles.momentumZ[index]);
            here[0] += hash;
        }
        here[1] = particles.count();
        long[] sums = new long[2];
        ranks.Allreduce(here, 0, sums, 0, 2, MPI.LONG, MPI.SUM);
        return sums;
    }

    private static long mix(long hash, double value) {
        long mixed = (hash ^ Double.doubleToRawLongBits(value)) * 0x9E3779B97F4A7C15L;
        return mixed ^ (mixed >>> 32);
    }

    private void writePower(Path file, double[][] early, double[][] late) {
        LinearPower linear = new LinearPower(options.model().background());
        Background background = options.model().background();
        double volume = options.box() * options.box() * options.box();
        double first = Math.pow(background.growth(options.start()), 2);
        double last = Math.pow(background.growth(options.end()), 2);
        StringBuilder text = new StringBuilder("wave number [h/Mpc],start [(Mpc/h)^3],start linear,end,end linear\n");
        for (int bin = 1; bin < options.side() / 2; bin++) {
            double wave = 2 * Math.PI * late[1][bin] / options.box();
            double power = linear.at(wave);
            text.append(String.format(
                    Locale.ROOT,
                    "%.5g,%.5g,%.5g,%.5g,%.5g%n",
                    wave,
                    early[0][bin] * volume,
                    power * first,
                    late[0][bin] * volume,
                    power * last));
        }
        try {
            Files.writeString(file, text);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot write " + file, failure);
        }
    }

    private static void createFolder(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot create the output folder " + folder, failure);
        }
    }

    /** The film, and how far the run is. */
    private final class Outputs implements AutoCloseable {
        private final @Nullable Film film;
        private final @Nullable Progress progress;
        private int frames;

        Outputs() {
            Optional<Path> folder = options.output();
            this.film = folder.isEmpty() ? null : new Film(folder.get(), ranks, options.box());
            this.progress =
                    isRoot ? Progress.start(options.progress(), ranks.Size() + " ranks", options.steps()) : null;
        }

        void draw(Universe universe, int step) {
            if (progress != null && step > 0) {
                progress.update(step);
            }
            // the first frame is the start, and the last one the end
            boolean isDue = frames < options.frames()
                    && (long) step * Math.max(1, options.frames() - 1) >= (long) frames * options.steps();
            if (film != null && isDue) {
                double start = MPI.Wtime();
                film.add(universe);
                frames++;
                drawingSeconds += MPI.Wtime() - start;
            }
        }

        void drawStill(Universe universe) {
            if (film != null) {
                double start = MPI.Wtime();
                film.drawStill(universe);
                drawingSeconds += MPI.Wtime() - start;
            }
        }

        @Override
        public void close() {
            if (film != null) {
                film.close();
            }
            if (progress != null) {
                progress.close();
            }
        }
    }
}
