package org.galerna.applications.cosmology;

/**
 * How gravity is split (V. Springel, MNRAS 364, 2005, section 3): the mesh has the part with long waves, {@code exp(-k^2
 * rs^2)} of each wave, and the tree has the rest, {@code erfc(r / 2rs)} of the potential at a distance r. The rest is
 * brought to 0 where it is cut off, without a step in the force: what is left there is taken away in proportion to a high
 * power of the distance.
 *
 * <p>Both parts of the tree are polynomials here, times {@code 1 - v}, where v is the distance in units of that where they
 * are cut off: what is done for each pair is then arithmetic that the compiler makes vector code of.
 */
final class ForceSplit {
    /** The mesh smooths over this many of its cells. */
    private static final double SCALE = 1.25;
    /** Where the tree's part is cut off, in units of the scale. */
    private static final double REACH = 5.5;

    private static final double TAPER = 8;
    /** Coefficients of a polynomial. */
    static final int COEFFICIENTS = 14;

    private final double scale;
    private final double reach;
    private final double[] force;
    private final double[] potential;

    /** For a mesh with so many cells along the box. */
    ForceSplit(int mesh) {
        this.scale = SCALE / mesh;
        this.reach = REACH * scale;
        this.force = fit(true);
        this.potential = fit(false);
    }

    /** Where the parts meet, in units of the box. */
    double scale() {
        return scale;
    }

    /** Where the tree's part is cut off, in units of the box. */
    double reach() {
        return reach;
    }

    /** Coefficients, lowest power first: the force is {@code (1 - v) q(v) / r^2}. */
    double[] force() {
        return force.clone();
    }

    /** The same for the potential, {@code -(1 - v) q(v) / r}. */
    double[] potential() {
        return potential.clone();
    }

    private static double exactForce(double v) {
        double left = part(REACH / 2);
        return part(v * REACH / 2) - left * Math.pow(v, TAPER);
    }

    private static double part(double u) {
        return ErrorFunction.complement(u) + 2 * u / Math.sqrt(Math.PI) * Math.exp(-u * u);
    }

    /** The integral of the force from where it is cut off. */
    private static double exactPotential(double v) {
        double power = TAPER - 1;
        return ErrorFunction.complement(v * REACH / 2)
                - v * ErrorFunction.complement(REACH / 2)
                - part(REACH / 2) / power * v * (1 - Math.pow(v, power));
    }

    /** By Chebyshev's points, and Newton's divided differences, which are then multiplied out. */
    private static double[] fit(boolean isForce) {
        double[] points = new double[COEFFICIENTS];
        double[] differences = new double[COEFFICIENTS];
        for (int index = 0; index < COEFFICIENTS; index++) {
            double v = 0.5 - 0.5 * Math.cos(Math.PI * (index + 0.5) / COEFFICIENTS);
            points[index] = v;
            differences[index] = (isForce ? exactForce(v) : exactPotential(v)) / (1 - v);
        }
        for (int order = 1; order < COEFFICIENTS; order++) {
            for (int index = COEFFICIENTS - 1; index >= order; index--) {
                differences[index] =
                        (differences[index] - differences[index - 1]) / (points[index] - points[index - order]);
            }
        }
        double[] polynomial = new double[COEFFICIENTS];
        for (int index = COEFFICIENTS - 1; index >= 0; index--) {
            for (int power = COEFFICIENTS - 1; power > 0; power--) {
                polynomial[power] = polynomial[power - 1] - points[index] * polynomial[power];
            }
            polynomial[0] = differences[index] - points[index] * polynomial[0];
        }
        return polynomial;
    }
}
