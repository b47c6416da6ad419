package org.galerna.applications.cosmology;

import java.util.Arrays;
import mpi.Intracomm;
import mpi.MPI;

/**
 * The mass along the line of sight, through the whole box. Each particle is a round cloud as wide as the smallest node of the tree
 * that it is in: wide where there are few, narrow where there are many. Not thread-safe.
 */
final class DensityMap {
    private static final double SMALLEST_RADIUS = 0.75;
    private static final double LARGEST_RADIUS = 40;
    /** From this radius on the sum of a cloud is close enough to its integral. */
    private static final double SMOOTH_RADIUS = 3;
    /** Of a cloud, in edges of the node. */
    private static final double WIDTH = 0.7;

    private final Intracomm ranks;
    private final int size;
    private final double[] here;
    private final double[] sum;

    /** A square map of so many points along an edge. */
    DensityMap(Intracomm ranks, int size) {
        this.ranks = ranks;
        this.size = size;
        this.here = new double[size * size];
        this.sum = new double[size * size];
    }

    /** Mass of all ranks at each point in units of the mean, row by row; right on rank 0 only. Valid until the next call. */
    double[] draw(Universe universe) {
        Arrays.fill(here, 0);
        Tree tree = universe.tree();
        for (int group = 0; group < tree.groups(); group++) {
            int node = tree.group[group];
            int end = tree.next[node];
            for (int inside = node; inside < end; inside++) {
                if (tree.isLeaf(inside)) {
                    drawLeaf(tree, inside);
                }
            }
        }
        ranks.Reduce(here, 0, sum, 0, sum.length, MPI.DOUBLE, MPI.SUM, 0);
        double total = 0;
        for (double mass : sum) {
            total += mass;
        }
        for (int index = 0; index < sum.length; index++) {
            sum[index] *= sum.length / total;
        }
        return sum;
    }

    private void drawLeaf(Tree tree, int leaf) {
        double radius = Math.clamp(WIDTH * tree.edge(leaf) * size, SMALLEST_RADIUS, LARGEST_RADIUS);
        int last = tree.first[leaf] + tree.count[leaf];
        for (int index = tree.first[leaf]; index < last; index++) {
            drawCloud(tree.points().x[index] * size, tree.points().y[index] * size, radius);
        }
    }

    private void drawCloud(double x, double y, double radius) {
        int fromX = (int) Math.ceil(x - radius);
        int toX = (int) Math.floor(x + radius);
        int fromY = (int) Math.ceil(y - radius);
        int toY = (int) Math.floor(y + radius);
        double sumOfCloud = Math.PI * radius * radius / 3;
        if (radius < SMOOTH_RADIUS) {
            sumOfCloud = 0;
            for (int row = fromY; row <= toY; row++) {
                for (int column = fromX; column <= toX; column++) {
                    sumOfCloud += weight(column - x, row - y, radius);
                }
            }
        }
        for (int row = fromY; row <= toY; row++) {
            int start = Math.floorMod(row, size) * size;
            for (int column = fromX; column <= toX; column++) {
                here[start + Math.floorMod(column, size)] += weight(column - x, row - y, radius) / sumOfCloud;
            }
        }
    }

    private static double weight(double x, double y, double radius) {
        double rest = Math.max(0, 1 - (x * x + y * y) / (radius * radius));
        return rest * rest;
    }
}
