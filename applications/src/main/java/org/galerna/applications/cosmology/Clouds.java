package org.galerna.applications.cosmology;

/**
 * How a particle is spread over three points of a mesh in each direction: the triangular-shaped cloud of R. W. Hockney and
 * J. W. Eastwood, <i>Computer Simulation Using Particles</i>, 1981. Points are at whole multiples of a cell. Not
 * thread-safe.
 */
final class Clouds {
    /** Points of a cloud in each direction. */
    static final int POINTS = 3;

    private final int mesh;
    /** The first point, from -1; and the weights of all. */
    int first;

    final double[] weights = new double[POINTS];

    /** For so many cells along the box. */
    Clouds(int mesh) {
        this.mesh = mesh;
    }

    /** The point nearest to a coordinate, from 0 to below the size of the mesh. */
    static int nearest(double place, int mesh) {
        int point = (int) (place * mesh + 0.5);
        return point == mesh ? 0 : point;
    }

    /** Sets the first point and the weights for a coordinate in units of the box. */
    void place(double coordinate) {
        double scaled = coordinate * mesh;
        int point = (int) (scaled + 0.5);
        double off = scaled - point;
        weights[0] = 0.5 * (0.5 - off) * (0.5 - off);
        weights[1] = 0.75 - off * off;
        weights[2] = 0.5 * (0.5 + off) * (0.5 + off);
        first = point == mesh ? -1 : point - 1;
    }

    /** What the mesh makes of a wave: the transform of a cloud, for each wave number of one direction. */
    static double[] window(int mesh) {
        double[] window = new double[mesh];
        for (int index = 0; index < mesh; index++) {
            double x = Math.PI * wave(index, mesh) / mesh;
            double sinc = x == 0 ? 1 : Math.sin(x) / x;
            window[index] = sinc * sinc * sinc;
        }
        return window;
    }

    /** The wave number at a place of a spectrum, in waves along the box. */
    static int wave(int index, int mesh) {
        return index <= mesh / 2 ? index : index - mesh;
    }
}
