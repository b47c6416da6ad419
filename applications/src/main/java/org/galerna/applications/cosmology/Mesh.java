package org.galerna.applications.cosmology;

import java.util.Arrays;
import mpi.Intracomm;
import org.galerna.applications.fourier.GridTransform;
import org.galerna.applications.team.Team;

/**
 * The planes of a rank, and Poisson's equation on all of them by Fourier transforms. Two real fields share one complex
 * transform. Not thread-safe.
 */
final class Mesh {
    /** The accelerations in x, y and z, and the potential. */
    static final int FIELDS = 4;

    private final Intracomm ranks;
    private final GridTransform transform;
    private final GridTransform.Workspace work;
    private final int size;
    private final Slab slab;
    private final double[] window;
    private final double[] gauss;
    private final double strength;
    private final double[][] sumReal;
    private final double[][] sumImaginary;
    private final double[][] otherReal;
    private final double[][] otherImaginary;

    /**
     * A mesh.
     *
     * @param ranks those that have planes
     * @param size cells along the box
     * @param scale of the split of the forces, in units of the box
     * @param strength of gravity: the Laplacian of the potential is this times the contrast of the density
     */
    Mesh(Intracomm ranks, int size, double scale, double strength) {
        this.ranks = ranks;
        this.transform = new GridTransform(ranks, size, size, size);
        this.work = transform.new Workspace();
        this.size = size;
        this.slab = new Slab(ranks, transform);
        this.window = Clouds.window(size);
        this.gauss = new double[size];
        for (int index = 0; index < size; index++) {
            double wave = 2 * Math.PI * Clouds.wave(index, size) * scale;
            gauss[index] = Math.exp(-wave * wave);
        }
        this.strength = strength;
        this.sumReal = transform.allocate();
        this.sumImaginary = transform.allocate();
        this.otherReal = transform.allocate();
        this.otherImaginary = transform.allocate();
    }

    private void spreadAndTransform(double[] places, double mean) {
        slab.spread(places, mean, sumReal);
        for (double[] row : sumImaginary) {
            Arrays.fill(row, 0);
        }
        Team.run(ranks, 1, member -> transform.forward(member, work, sumReal, sumImaginary));
    }

    /** Accelerations and potential at the places of particles in the slab of this rank, {@link #FIELDS} for each. */
    double[] forces(double[] places, double mean) {
        spreadAndTransform(places, mean);
        double points = (double) size * size * size;
        for (int z = 0; z < size; z++) {
            for (int local = 0; local < transform.rowsOfSpectrum(); local++) {
                solveRow(transform.firstRowOfSpectrum() + local, z, transform.rowInSpectrum(local, z), points);
            }
        }
        Team.run(ranks, 1, member -> {
            transform.inverse(member, work, sumReal, sumImaginary);
            transform.inverse(member, work, otherReal, otherImaginary);
        });
        double[][][] fields = {
            slab.withNeighbours(sumReal),
            slab.withNeighbours(sumImaginary),
            slab.withNeighbours(otherReal),
            slab.withNeighbours(otherImaginary)
        };
        return slab.read(places, fields);
    }

    /** The accelerations are -ik times the potential; x and y become one complex field, z and the potential another. */
    private void solveRow(int y, int z, int row, double points) {
        double[] firstReal = sumReal[row];
        double[] firstImaginary = sumImaginary[row];
        double[] secondReal = otherReal[row];
        double[] secondImaginary = otherImaginary[row];
        double waveY = 2 * Math.PI * Clouds.wave(y, size);
        double waveZ = 2 * Math.PI * Clouds.wave(z, size);
        double slopeY = slope(y);
        double slopeZ = slope(z);
        for (int x = 0; x < size; x++) {
            double waveX = 2 * Math.PI * Clouds.wave(x, size);
            double squared = waveX * waveX + waveY * waveY + waveZ * waveZ;
            double windows = window[x] * window[y] * window[z];
            double factor = squared == 0
                    ? 0
                    : -strength * gauss[x] * gauss[y] * gauss[z] / (squared * windows * windows * points);
            double real = factor * firstReal[x];
            double imaginary = factor * firstImaginary[x];
            double slopeX = slope(x);
            firstReal[x] = slopeX * imaginary + slopeY * real;
            firstImaginary[x] = slopeY * imaginary - slopeX * real;
            secondReal[x] = slopeZ * imaginary - imaginary;
            secondImaginary[x] = real - slopeZ * real;
        }
    }

    /** The shortest wave has no slope: it has no phase. */
    private double slope(int index) {
        return index == size / 2 ? 0 : 2 * Math.PI * Clouds.wave(index, size);
    }

    /**
     * Sums of the power of this rank's waves: for each whole number n, the power of waves of about n along the box, in units of the
     * volume of the box, their lengths, and their number.
     */
    double[] power(double[] places, double mean) {
        spreadAndTransform(places, mean);
        double points = (double) size * size * size;
        double[] sums = new double[3 * (size / 2)];
        for (int z = 0; z < size; z++) {
            for (int local = 0; local < transform.rowsOfSpectrum(); local++) {
                addPower(transform.firstRowOfSpectrum() + local, z, transform.rowInSpectrum(local, z), points, sums);
            }
        }
        return sums;
    }

    private void addPower(int y, int z, int row, double points, double[] sums) {
        double waveY = Clouds.wave(y, size);
        double waveZ = Clouds.wave(z, size);
        for (int x = 0; x < size; x++) {
            double waveX = Clouds.wave(x, size);
            double length = Math.sqrt(waveX * waveX + waveY * waveY + waveZ * waveZ);
            int bin = (int) (length + 0.5);
            if (bin > 0 && bin < size / 2) {
                double windows = window[x] * window[y] * window[z] * points;
                double real = sumReal[row][x] / windows;
                double imaginary = sumImaginary[row][x] / windows;
                sums[3 * bin] += real * real + imaginary * imaginary;
                sums[3 * bin + 1] += length;
                sums[3 * bin + 2]++;
            }
        }
    }
}
