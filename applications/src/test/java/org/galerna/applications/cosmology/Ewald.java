package org.galerna.applications.cosmology;

/** What a unit mass in a periodic box of edge 1, with an even background of the opposite sign, does: P. P. Ewald's sums. */
final class Ewald {
    private static final double ALPHA = 2;
    private static final int IMAGES = 2;
    private static final int WAVES = 5;

    private Ewald() {}

    /** Adds the acceleration, with a gravitational constant of 1, at a place beside the mass. */
    static void add(double x, double y, double z, double factor, double[] sums) {
        double root = 2 / Math.sqrt(Math.PI);
        for (int i = -IMAGES; i <= IMAGES; i++) {
            for (int j = -IMAGES; j <= IMAGES; j++) {
                for (int k = -IMAGES; k <= IMAGES; k++) {
                    double r = Math.sqrt((x - i) * (x - i) + (y - j) * (y - j) + (z - k) * (z - k));
                    double u = ALPHA * r;
                    double part = ErrorFunction.complement(u) + root * u * Math.exp(-u * u);
                    double force = -factor * part / (r * r * r);
                    sums[0] += force * (x - i);
                    sums[1] += force * (y - j);
                    sums[2] += force * (z - k);
                }
            }
        }
        for (int i = -WAVES; i <= WAVES; i++) {
            for (int j = -WAVES; j <= WAVES; j++) {
                for (int k = -WAVES; k <= WAVES; k++) {
                    int squared = i * i + j * j + k * k;
                    if (squared > 0 && squared <= WAVES * WAVES) {
                        double size = -factor
                                * 2
                                / squared
                                * Math.exp(-Math.PI * Math.PI * squared / (ALPHA * ALPHA))
                                * Math.sin(2 * Math.PI * (i * x + j * y + k * z));
                        sums[0] += size * i;
                        sums[1] += size * j;
                        sums[2] += size * k;
                    }
                }
            }
        }
    }
}
