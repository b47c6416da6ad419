package org.galerna.applications.cosmology;

import java.util.Arrays;
import mpi.Intracomm;
import mpi.MPI;
import org.galerna.applications.fourier.GridTransform;

/**
 * The planes of the mesh that a rank has, between a plane of each neighbour. Masses are added up as whole numbers, so that
 * their order, which depends on the number of ranks, changes no bit. Not thread-safe.
 */
final class Slab {
    private static final double UNIT = 0x1p-40;
    private static final int TAG_UP = 1;
    private static final int TAG_DOWN = 2;

    private final Intracomm ranks;
    private final int mesh;
    private final int planes;
    private final int firstPlane;
    private final long[][] masses;
    private final Clouds inX;
    private final Clouds inY;
    private final Clouds inZ;

    /** The part of a rank in a mesh that a transform has cut into slabs. */
    Slab(Intracomm ranks, GridTransform transform) {
        this.ranks = ranks;
        this.mesh = transform.width();
        this.planes = transform.planes();
        this.firstPlane = transform.firstPlane();
        this.masses = withBorders(new long[planes * mesh][mesh], new long[2 * mesh][]);
        for (int row = 0; row < masses.length; row++) {
            if (masses[row] == null) {
                masses[row] = new long[mesh];
            }
        }
        this.inX = new Clouds(mesh);
        this.inY = new Clouds(mesh);
        this.inZ = new Clouds(mesh);
    }

    /** All rows with those of the planes below and above; on one rank these are the last and the first plane. */
    private <T> T[] withBorders(T[] rows, T[] borders) {
        T[] all = Arrays.copyOf(rows, rows.length + 2 * mesh);
        System.arraycopy(rows, 0, all, mesh, rows.length);
        boolean alone = ranks.Size() == 1;
        System.arraycopy(alone ? rows : borders, alone ? rows.length - mesh : 0, all, 0, mesh);
        System.arraycopy(alone ? rows : borders, alone ? 0 : mesh, all, mesh + rows.length, mesh);
        return all;
    }

    /**
     * Spreads particles, and writes what is at each point, in units of the mean.
     *
     * @param places three coordinates of each
     * @param mean particles of all ranks for each point
     */
    void spread(double[] places, double mean, double[][] density) {
        for (long[] row : masses) {
            Arrays.fill(row, 0);
        }
        for (int index = 0; index < places.length; index += 3) {
            put(places[index], places[index + 1], places[index + 2]);
        }
        if (ranks.Size() > 1) {
            addBorders();
        }
        double factor = UNIT / mean;
        for (int row = 0; row < density.length; row++) {
            long[] source = masses[mesh + row];
            double[] target = density[row];
            for (int x = 0; x < mesh; x++) {
                target[x] = factor * source[x];
            }
        }
    }

    private void put(double x, double y, double z) {
        inX.place(x);
        inY.place(y);
        inZ.place(z);
        int plane = borderedPlane(inZ.first);
        int mask = mesh - 1;
        for (int stepZ = 0; stepZ < Clouds.POINTS; stepZ++) {
            for (int stepY = 0; stepY < Clouds.POINTS; stepY++) {
                long[] row = masses[(plane + stepZ) * mesh + ((inY.first + stepY) & mask)];
                double weight = inZ.weights[stepZ] * inY.weights[stepY] / UNIT;
                for (int stepX = 0; stepX < Clouds.POINTS; stepX++) {
                    row[(inX.first + stepX) & mask] += Math.round(weight * inX.weights[stepX]);
                }
            }
        }
    }

    /** The plane below the first one is 0. */
    private int borderedPlane(int firstOfCloud) {
        return (firstOfCloud - (firstPlane - 1)) & (mesh - 1);
    }

    private void addBorders() {
        long[] below = new long[mesh * mesh];
        long[] above = new long[mesh * mesh];
        for (int y = 0; y < mesh; y++) {
            System.arraycopy(masses[y], 0, below, y * mesh, mesh);
            System.arraycopy(masses[(planes + 1) * mesh + y], 0, above, y * mesh, mesh);
        }
        long[] forLast = new long[mesh * mesh];
        long[] forFirst = new long[mesh * mesh];
        exchange(below, forLast, above, forFirst);
        for (int y = 0; y < mesh; y++) {
            long[] first = masses[mesh + y];
            long[] last = masses[planes * mesh + y];
            for (int x = 0; x < mesh; x++) {
                first[x] += forFirst[y * mesh + x];
                last[x] += forLast[y * mesh + x];
            }
        }
    }

    /** What goes down comes from above, and what goes up from below. */
    private void exchange(Object down, Object fromAbove, Object up, Object fromBelow) {
        int size = ranks.Size();
        int above = (ranks.Rank() + 1) % size;
        int below = (ranks.Rank() + size - 1) % size;
        int count = mesh * mesh;
        var type = down instanceof long[] ? MPI.LONG : MPI.DOUBLE;
        ranks.Sendrecv(down, 0, count, type, below, TAG_DOWN, fromAbove, 0, count, type, above, TAG_DOWN);
        ranks.Sendrecv(up, 0, count, type, above, TAG_UP, fromBelow, 0, count, type, below, TAG_UP);
    }

    /** A field at all points of this rank, with the planes of the neighbours. */
    double[][] withNeighbours(double[][] field) {
        double[][] borders = new double[2 * mesh][];
        if (ranks.Size() > 1) {
            double[] first = new double[mesh * mesh];
            double[] last = new double[mesh * mesh];
            for (int y = 0; y < mesh; y++) {
                System.arraycopy(field[y], 0, first, y * mesh, mesh);
                System.arraycopy(field[(planes - 1) * mesh + y], 0, last, y * mesh, mesh);
            }
            double[] above = new double[mesh * mesh];
            double[] below = new double[mesh * mesh];
            exchange(first, above, last, below);
            for (int y = 0; y < mesh; y++) {
                borders[y] = Arrays.copyOfRange(below, y * mesh, (y + 1) * mesh);
                borders[mesh + y] = Arrays.copyOfRange(above, y * mesh, (y + 1) * mesh);
            }
        }
        return withBorders(field, borders);
    }

    /** Writes the values of fields, with the planes of the neighbours, at the places of particles: all fields of one, then of the next. */
    double[] read(double[] places, double[][][] fields) {
        double[] values = new double[places.length / 3 * fields.length];
        int mask = mesh - 1;
        for (int index = 0; index < places.length / 3; index++) {
            inX.place(places[3 * index]);
            inY.place(places[3 * index + 1]);
            inZ.place(places[3 * index + 2]);
            int plane = borderedPlane(inZ.first);
            for (int stepZ = 0; stepZ < Clouds.POINTS; stepZ++) {
                for (int stepY = 0; stepY < Clouds.POINTS; stepY++) {
                    int row = (plane + stepZ) * mesh + ((inY.first + stepY) & mask);
                    double weight = inZ.weights[stepZ] * inY.weights[stepY];
                    for (int field = 0; field < fields.length; field++) {
                        double[] cells = fields[field][row];
                        values[index * fields.length + field] += weight
                                * (inX.weights[0] * cells[inX.first & mask]
                                        + inX.weights[1] * cells[(inX.first + 1) & mask]
                                        + inX.weights[2] * cells[(inX.first + 2) & mask]);
                    }
                }
            }
        }
        return values;
    }
}
