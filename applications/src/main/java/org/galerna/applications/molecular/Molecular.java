package org.galerna.applications.molecular;

import java.util.Locale;
import mpi.Intracomm;
import mpi.MPI;
import org.galerna.applications.OptionValue;
import org.galerna.applications.Program;
import org.galerna.applications.ProgramException;
import org.galerna.applications.team.Team;

/**
 * Argon-like particles in a periodic box, on any number of ranks that find room in it: {@code Molecular [--cells N]
 * [--steps N] [--time DT] [--warm-up SECONDS]}. Rank 0 prints energies, the drift of the total energy, and the speed.
 */
public final class Molecular {
    private static final String USAGE = "usage: Molecular [--cells N] [--steps N] [--time DT] [--warm-up SECONDS]";
    private static final double DENSITY = 0.8442;
    private static final double TEMPERATURE = 0.72;
    private static final int CORNERS = 4;
    /** The cut force jumps at its end, which moves the energy a little. */
    private static final double MOST_DRIFT = 1e-3;

    private final Intracomm ranks;
    private final Slab slab;
    private final int count;

    private Molecular(Intracomm ranks, int cells, double box) {
        this.ranks = ranks;
        this.slab = new Slab(ranks, box);
        this.count = CORNERS * cells * cells * cells;
        placeOnLattice(cells, box);
        slab.update();
    }

    /** Runs; the exit status is 2 if the arguments are wrong, and 1 if the energy drifts. */
    public static void main(String[] arguments) {
        Program.run("molecular", arguments, Molecular::run);
    }

    private static boolean run(Intracomm ranks, String[] arguments) {
        int cells = 8;
        int steps = 100;
        double time = 0.004;
        double warmUp = 0;
        for (int index = 0; index < arguments.length; index += 2) {
            String option = arguments[index];
            if (index + 1 == arguments.length) {
                throw new ProgramException(option + " is not understood, or lacks its value\n" + USAGE);
            }
            String value = arguments[index + 1];
            switch (option) {
                case "--cells" -> cells = OptionValue.whole(option, value, 5, 256);
                case "--steps" -> steps = OptionValue.whole(option, value, 1, 100_000_000);
                case "--warm-up" -> warmUp = OptionValue.number(option, value, 0, 3600);
                case "--time" -> time = OptionValue.number(option, value, 1e-6, 0.01);
                default -> throw new ProgramException("\"" + option + "\" is not understood\n" + USAGE);
            }
        }
        double box = Math.cbrt(CORNERS / DENSITY) * cells;
        if (ranks.Size() > Slab.mostRanks(box)) {
            throw new ProgramException("a box of " + cells + " lattice cells has room for " + Slab.mostRanks(box)
                    + " ranks, not for " + ranks.Size() + ": use more cells or fewer ranks");
        }
        if (warmUp > 0) {
            new Molecular(ranks, cells, box).warmUp(warmUp, time);
        }
        return new Molecular(ranks, cells, box).simulate(steps, time);
    }

    /** A face-centred lattice with random speeds that have no sum. Each particle is the same on any number of ranks. */
    private void placeOnLattice(int cells, double box) {
        double edge = box / cells;
        double[] corners = {0, 0, 0, 0.5, 0.5, 0, 0.5, 0, 0.5, 0, 0.5, 0.5};
        double[] mean = new double[3];
        double squares = 0;
        for (int name = 0; name < count; name++) {
            for (int axis = 0; axis < 3; axis++) {
                double speed = random(name, axis);
                mean[axis] += speed / count;
                squares += speed * speed / count;
            }
        }
        double variance = squares - mean[0] * mean[0] - mean[1] * mean[1] - mean[2] * mean[2];
        double scale = Math.sqrt(3 * TEMPERATURE / variance);
        double[] fields = new double[Particles.FIELDS];
        for (int name = 0; name < count; name++) {
            int corner = name % CORNERS;
            int cell = name / CORNERS;
            int plane = cell / cells / cells;
            fields[0] = name;
            fields[1] = (cell % cells + corners[3 * corner] + 0.25) * edge;
            fields[2] = (cell / cells % cells + corners[3 * corner + 1] + 0.25) * edge;
            fields[3] = (plane + corners[3 * corner + 2] + 0.25) * edge;
            for (int axis = 0; axis < 3; axis++) {
                fields[4 + axis] = scale * (random(name, axis) - mean[axis]);
            }
            if (slab.holds(fields[3])) {
                slab.particles().add(fields, 0);
            }
        }
    }

    private static double random(int name, int axis) {
        long mixed = (3L * name + axis + 1) * 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ mixed >>> 30) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
        return ((mixed ^ mixed >>> 31) >>> 11) * 0x1p-53 - 0.5;
    }

    /** Moves the particles for a while, so that the compiler is done before the time is taken. */
    private void warmUp(double seconds, double time) {
        Team.run(ranks, 1, rank -> rank.warmUp(seconds, () -> slab.step(time)));
    }

    private boolean simulate(int steps, double time) {
        double[] first = energies();
        ranks.Barrier();
        double start = System.nanoTime() * 1e-9;
        for (int step = 0; step < steps; step++) {
            slab.step(time);
        }
        ranks.Barrier();
        double seconds = System.nanoTime() * 1e-9 - start;
        double[] last = energies();
        double before = first[0] + first[1];
        double after = last[0] + last[1];
        double drift = Math.abs(after - before) / count;
        boolean steady = drift <= MOST_DRIFT && last[5] == count;
        if (ranks.Rank() == 0) {
            System.out.printf(
                    Locale.ROOT,
                    "%d particles, %d steps: kinetic %.9f, potential %.9f, total %.9f; drift %.2e per particle; momentum "
                            + "%.1e; %.3f s, %.2f million particle steps/s%n",
                    count,
                    steps,
                    last[0] / count,
                    last[1] / count,
                    after / count,
                    drift,
                    Math.max(Math.abs(last[2]), Math.max(Math.abs(last[3]), Math.abs(last[4]))),
                    seconds,
                    (double) count * steps / seconds * 1e-6);
        }
        return steady;
    }

    /** Kinetic and potential energy, momentum, and number of all particles. */
    private double[] energies() {
        Particles particles = slab.particles();
        double[] here = new double[6];
        here[1] = slab.potential() / 2;
        here[5] = particles.own();
        for (int index = 0; index < particles.own(); index++) {
            double x = particles.speedX[index];
            double y = particles.speedY[index];
            double z = particles.speedZ[index];
            here[0] += 0.5 * (x * x + y * y + z * z);
            here[2] += x;
            here[3] += y;
            here[4] += z;
        }
        double[] total = new double[here.length];
        ranks.Allreduce(here, 0, total, 0, here.length, MPI.DOUBLE, MPI.SUM);
        return total;
    }
}
