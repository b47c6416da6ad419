package org.galerna.applications.cosmology;

import mpi.Intracomm;
import mpi.MPI;

/**
 * All particles, and how they move: a kick by half of the step, a move, and another kick (leapfrog), in coordinates that
 * expand with the universe (T. Quinn and others, astro-ph/9710043). Not thread-safe; all ranks call the same.
 */
final class Universe {
    /**
     * What a universe is made of.
     *
     * @param box edge in Mpc/h
     * @param side particles along the box, a power of two
     * @param mesh cells of the mesh along the box, a power of two from 16
     * @param softening of forces, in units of the mean distance of particles
     * @param opening as that of {@link NearForces}
     */
    record Model(Background background, double box, int side, int mesh, double softening, double opening, long seed) {
        double particles() {
            return (double) side * side * side;
        }
    }

    /**
     * Energies, for each particle, in units of (box times Hubble constant) squared.
     *
     * @param kinetic of motions against the expansion
     * @param potential of the contrast of the density
     */
    record Energies(double kinetic, double potential) {}

    private final Intracomm ranks;
    private final Model model;
    private final Particles particles = new Particles();
    private final Domains domains;
    private final NearForces near;
    private final FarForces far;
    private double scaleFactor;

    /** At the beginning: the particles are where linear theory says. */
    Universe(Intracomm ranks, Model model, double scaleFactor) {
        this(ranks, model);
        this.scaleFactor = scaleFactor;
        InitialConditions conditions = new InitialConditions(
                model.background(), new LinearPower(model.background()), model.box(), model.side(), model.seed());
        FarForces.withSlabs(ranks, Math.min(Integer.highestOneBit(ranks.Size()), model.side()))
                .ifPresent(some -> conditions.place(some, scaleFactor, particles));
        computeForces(false);
    }

    private Universe(Intracomm ranks, Model model) {
        this.ranks = ranks;
        this.model = model;
        double strength = 1.5 * model.background().matter();
        ForceSplit split = new ForceSplit(model.mesh());
        Blocks blocks = new Blocks(model.mesh(), split.reach());
        this.domains = new Domains(ranks, blocks);
        this.near = new NearForces(
                blocks,
                split,
                model.opening(),
                model.softening() / model.side(),
                strength / (4 * Math.PI * model.particles()));
        this.far = new FarForces(ranks, split, model.mesh(), model.particles(), strength);
    }

    /** The particles of this rank. */
    Particles particles() {
        return particles;
    }

    /** The trees of this rank, in which each particle is in the smallest node. */
    Tree tree() {
        return near.tree();
    }

    /** The time, by the scale factor. */
    double scaleFactor() {
        return scaleFactor;
    }

    /** Goes on to a later time in one step. */
    void step(double until) {
        Background background = model.background();
        double middle = Math.sqrt(scaleFactor * until);
        particles.kick(background.kick(scaleFactor, middle));
        particles.drift(background.drift(scaleFactor, until));
        computeForces(false);
        particles.kick(background.kick(middle, until));
        scaleFactor = until;
    }

    private void computeForces(boolean withPotential) {
        domains.balance(particles);
        near.compute(domains.surroundings(particles), particles, withPotential);
        far.add(particles);
    }

    /** The kinetic energy alone, which is quick. */
    double kinetic() {
        double sum = 0;
        for (int index = 0; index < particles.count(); index++) {
            double x = particles.momentumX[index];
            double y = particles.momentumY[index];
            double z = particles.momentumZ[index];
            sum += 0.5 * (x * x + y * y + z * z);
        }
        return total(sum) / (scaleFactor * scaleFactor * model.particles());
    }

    /** Both energies; forces are computed once more. */
    Energies energies() {
        computeForces(true);
        double sum = 0;
        for (int index = 0; index < particles.count(); index++) {
            sum += 0.5 * particles.potential[index];
        }
        return new Energies(kinetic(), total(sum) / (scaleFactor * model.particles()));
    }

    /** The sum of all momenta, in units of the sum of their lengths. */
    double momentum() {
        double[] here = new double[4];
        for (int index = 0; index < particles.count(); index++) {
            double x = particles.momentumX[index];
            double y = particles.momentumY[index];
            double z = particles.momentumZ[index];
            here[0] += x;
            here[1] += y;
            here[2] += z;
            here[3] += Math.sqrt(x * x + y * y + z * z);
        }
        double[] sums = new double[here.length];
        ranks.Allreduce(here, 0, sums, 0, here.length, MPI.DOUBLE, MPI.SUM);
        return Math.sqrt(sums[0] * sums[0] + sums[1] * sums[1] + sums[2] * sums[2]) / sums[3];
    }

    /** The most work of a rank, in units of the mean. */
    double imbalance() {
        double[] here = new double[1];
        for (int index = 0; index < particles.count(); index++) {
            here[0] += particles.work[index];
        }
        double[] most = new double[1];
        ranks.Allreduce(here, 0, most, 0, 1, MPI.DOUBLE, MPI.MAX);
        return most[0] * ranks.Size() / total(here[0]);
    }

    /** The power spectrum, as {@link FarForces#power} gives it. */
    double[][] power() {
        return far.power(particles);
    }

    private double total(double part) {
        double[] sum = new double[1];
        ranks.Allreduce(new double[] {part}, 0, sum, 0, 1, MPI.DOUBLE, MPI.SUM);
        return sum[0];
    }
}
