package org.galerna.applications.cosmology;

/**
 * Masses that act on a group of particles, and what they do to one of them. They are few enough to stay in the first
 * cache; when they are full they act, and are forgotten. Not thread-safe.
 */
final class Partners {
    private static final int ROOM = 512;

    private final double[] x = new double[ROOM];
    private final double[] y = new double[ROOM];
    private final double[] z = new double[ROOM];
    private final double[] mass = new double[ROOM];
    private final double[] partX = new double[ROOM];
    private final double[] partY = new double[ROOM];
    private final double[] partZ = new double[ROOM];
    private final double[] squared = new double[ROOM];
    private final double[] relative = new double[ROOM];
    private final double[] shape = new double[ROOM];
    private final double[] factor = new double[ROOM];
    private final double[] force;
    private final double[] potential;
    private final double reach;
    private final double softening;
    private int count;

    /** Forces are those of points that are spread over the length of the softening, by Plummer's rule. */
    Partners(ForceSplit split, double softening) {
        this.force = split.force();
        this.potential = split.potential();
        this.reach = split.reach();
        this.softening = softening;
    }

    boolean isFull() {
        return count == ROOM;
    }

    boolean isEmpty() {
        return count == 0;
    }

    int count() {
        return count;
    }

    void clear() {
        count = 0;
    }

    void add(double itsX, double itsY, double itsZ, double itsMass) {
        x[count] = itsX;
        y[count] = itsY;
        z[count] = itsZ;
        mass[count] = itsMass;
        count++;
    }

    /** Adds the forces of all on a place to three numbers. */
    void attract(double atX, double atY, double atZ, double[] sums) {
        // several short loops: the compiler makes no vector code of a long one
        double soft = softening * softening;
        fillDistances(x, y, z, partX, partY, partZ, squared, atX, atY, atZ, soft, count);
        fillFactors(squared, mass, relative, factor, 1 / reach, count);
        fillHighPowers(relative, shape, force, count);
        fillLowPowers(relative, shape, factor, force, count);
        sums[0] += sumOfProducts(partX, factor, count);
        sums[1] += sumOfProducts(partY, factor, count);
        sums[2] += sumOfProducts(partZ, factor, count);
    }

    private static void fillDistances(
            double[] x,
            double[] y,
            double[] z,
            double[] partX,
            double[] partY,
            double[] partZ,
            double[] squared,
            double atX,
            double atY,
            double atZ,
            double soft,
            int count) {
        for (int index = 0; index < count; index++) {
            double dx = x[index] - atX;
            double dy = y[index] - atY;
            double dz = z[index] - atZ;
            partX[index] = dx;
            partY[index] = dy;
            partZ[index] = dz;
            squared[index] = dx * dx + dy * dy + dz * dz + soft;
        }
    }

    private static void fillFactors(
            double[] squared, double[] mass, double[] relative, double[] factor, double inverse, int count) {
        for (int index = 0; index < count; index++) {
            double square = squared[index];
            double distance = Math.sqrt(square);
            double v = Math.min(1.0, distance * inverse);
            relative[index] = v;
            factor[index] = mass[index] * (1 - v) / (square * distance);
        }
    }

    private static void fillHighPowers(double[] relative, double[] shape, double[] c, int count) {
        double c8 = c[8];
        double c9 = c[9];
        double c10 = c[10];
        double c11 = c[11];
        double c12 = c[12];
        double c13 = c[13];
        for (int index = 0; index < count; index++) {
            double v = relative[index];
            shape[index] = ((((c13 * v + c12) * v + c11) * v + c10) * v + c9) * v + c8;
        }
    }

    private static void fillLowPowers(double[] relative, double[] shape, double[] factor, double[] c, int count) {
        double c0 = c[0];
        double c1 = c[1];
        double c2 = c[2];
        double c3 = c[3];
        double c4 = c[4];
        double c5 = c[5];
        double c6 = c[6];
        double c7 = c[7];
        for (int index = 0; index < count; index++) {
            double v = relative[index];
            double high = (((shape[index] * v + c7) * v + c6) * v + c5) * v + c4;
            factor[index] *= (((high * v + c3) * v + c2) * v + c1) * v + c0;
        }
    }

    /** Four sums side by side: one alone would wait for each addition. */
    private static double sumOfProducts(double[] values, double[] factors, int count) {
        double one = 0;
        double two = 0;
        double three = 0;
        double four = 0;
        int index = 0;
        for (; index < count - 3; index += 4) {
            one += values[index] * factors[index];
            two += values[index + 1] * factors[index + 1];
            three += values[index + 2] * factors[index + 2];
            four += values[index + 3] * factors[index + 3];
        }
        for (; index < count; index++) {
            one += values[index] * factors[index];
        }
        return one + two + (three + four);
    }

    /** The potential of all at a place. */
    double potential(double atX, double atY, double atZ) {
        double sum = 0;
        for (int index = 0; index < count; index++) {
            double dx = x[index] - atX;
            double dy = y[index] - atY;
            double dz = z[index] - atZ;
            double distance = Math.sqrt(dx * dx + dy * dy + dz * dz + softening * softening);
            sum -= mass[index] * shape(distance) / distance;
        }
        return sum;
    }

    /** The potential of a particle at its own place. */
    double ownPotential() {
        return -shape(softening) / softening;
    }

    private double shape(double distance) {
        double v = Math.min(1.0, distance / reach);
        double q = 0;
        for (int power = ForceSplit.COEFFICIENTS - 1; power >= 0; power--) {
            q = q * v + potential[power];
        }
        return (1 - v) * q;
    }
}
