package org.galerna.applications.cosmology;

/**
 * The places of own particles, and of copies of those of other ranks that they can feel. All are in the order of the curve,
 * and a block is there as a whole.
 */
final class Surroundings {
    final double[] x;
    final double[] y;
    final double[] z;
    /** The first own one. */
    final int first;
    /** Number of own ones. */
    final int own;
    /** Number of all. */
    final int count;

    /** Takes the arrays, and copies nothing. */
    Surroundings(double[] x, double[] y, double[] z, int first, int own, int count) {
        this.x = x;
        this.y = y;
        this.z = z;
        this.first = first;
        this.own = own;
        this.count = count;
    }

    /** Whether a particle is not a copy. */
    boolean isOwn(int index) {
        return index >= first && index < first + own;
    }
}
