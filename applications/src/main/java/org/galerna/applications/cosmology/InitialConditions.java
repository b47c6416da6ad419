package org.galerna.applications.cosmology;

import mpi.Intracomm;
import org.galerna.applications.fourier.GridTransform;
import org.galerna.applications.team.Team;

/**
 * Particles on a lattice, displaced and set in motion as linear theory says (Y. B. Zel'dovich, A&amp;A 5, 1970). The waves
 * are those of white noise at the points of the lattice, so that they do not depend on the number of ranks.
 */
final class InitialConditions {
    private final Background background;
    private final LinearPower power;
    private final double box;
    private final int side;
    private final long seed;

    /**
     * Conditions.
     *
     * @param box edge of the box in Mpc/h
     * @param side particles along the box, a power of two
     */
    InitialConditions(Background background, LinearPower power, double box, int side, long seed) {
        this.background = background;
        this.power = power;
        this.box = box;
        this.side = side;
        this.seed = seed;
    }

    /** Makes the particles of some planes of the lattice; the ranks have as many of them each. */
    void place(Intracomm ranks, double scaleFactor, Particles particles) {
        GridTransform transform = new GridTransform(ranks, side, side, side);
        GridTransform.Workspace work = transform.new Workspace();
        double[][] real = transform.allocate();
        double[][] imaginary = transform.allocate();
        double[][] otherReal = transform.allocate();
        double[][] otherImaginary = transform.allocate();
        for (int row = 0; row < real.length; row++) {
            long first = ((long) transform.firstPlane() * side + row) * side;
            for (int x = 0; x < side; x++) {
                real[row][x] = normal(first + x);
            }
        }
        Team.run(ranks, 1, member -> transform.forward(member, work, real, imaginary));
        for (int z = 0; z < side; z++) {
            for (int local = 0; local < transform.rowsOfSpectrum(); local++) {
                int row = transform.rowInSpectrum(local, z);
                displaceRow(
                        transform.firstRowOfSpectrum() + local,
                        z,
                        real[row],
                        imaginary[row],
                        otherReal[row],
                        otherImaginary[row]);
            }
        }
        Team.run(ranks, 1, member -> {
            transform.inverse(member, work, real, imaginary);
            transform.inverse(member, work, otherReal, otherImaginary);
        });
        double growth = background.growth(scaleFactor);
        double speed =
                scaleFactor * scaleFactor * growth * background.growthRate(scaleFactor) * background.rate(scaleFactor);
        double[] fields = new double[Particles.FIELDS];
        for (int row = 0; row < real.length; row++) {
            int y = row % side;
            int z = transform.firstPlane() + row / side;
            for (int x = 0; x < side; x++) {
                fields[0] = ((double) z * side + y) * side + x;
                fields[1] = 1;
                fields[2] = (x + 0.5) / side + growth * real[row][x];
                fields[3] = (y + 0.5) / side + growth * imaginary[row][x];
                fields[4] = (z + 0.5) / side + growth * otherReal[row][x];
                fields[5] = speed * real[row][x];
                fields[6] = speed * imaginary[row][x];
                fields[7] = speed * otherReal[row][x];
                particles.add(fields, 0);
            }
        }
    }

    /** The displacement of a wave is ik / k^2 times its amplitude; x and y become one complex field. */
    private void displaceRow(
            int y, int z, double[] real, double[] imaginary, double[] otherReal, double[] otherImaginary) {
        double volume = box * box * box;
        double points = (double) side * side * side;
        double slopeY = slope(y);
        double slopeZ = slope(z);
        for (int x = 0; x < side; x++) {
            double slopeX = slope(x);
            double waves = Math.sqrt(squared(x) + squared(y) + squared(z));
            double factor = 0;
            if (waves > 0) {
                double wave = 2 * Math.PI * waves;
                factor = Math.sqrt(power.at(wave / box) / (volume * points)) / (wave * wave);
            }
            double amplitudeReal = factor * real[x];
            double amplitudeImaginary = factor * imaginary[x];
            real[x] = -slopeX * amplitudeImaginary - slopeY * amplitudeReal;
            imaginary[x] = slopeX * amplitudeReal - slopeY * amplitudeImaginary;
            otherReal[x] = -slopeZ * amplitudeImaginary;
            otherImaginary[x] = slopeZ * amplitudeReal;
        }
    }

    private double slope(int index) {
        return index == side / 2 ? 0 : 2 * Math.PI * Clouds.wave(index, side);
    }

    private double squared(int index) {
        double wave = Clouds.wave(index, side);
        return wave * wave;
    }

    /** A normal deviate for a point, by the method of Box and Muller. */
    private double normal(long point) {
        double one = uniform(2 * point);
        double two = uniform(2 * point + 1);
        return Math.sqrt(-2 * Math.log(one)) * Math.cos(2 * Math.PI * two);
    }

    /** From above 0 to 1: a hash of a number. */
    private double uniform(long number) {
        long mixed = (number + seed * 0xD1342543DE82EF95L + 1) * 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return (((mixed ^ (mixed >>> 31)) >>> 11) + 1) * 0x1p-53;
    }
}
