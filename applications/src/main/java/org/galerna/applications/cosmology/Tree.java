package org.galerna.applications.cosmology;

import java.util.Arrays;

/**
 * Octants of octants of the box, down to a few particles each (J. Barnes and P. Hut, Nature 324, 1986), for each block
 * one tree. A node stands before all nodes inside it, so that a walk goes through arrays from left to right. Particles are
 * in the order of Hilbert's curve, in which each octant is one piece.
 */
final class Tree {
    private static final int LEAF = 8;
    /** Particles of a group of which all have the same partners. */
    private static final int GROUP = 32;

    private final Blocks blocks;
    private long[] keys = {};
    private final int[] roots;
    private int nodes;
    private int groups;
    private Surroundings points;

    double[] centreX = new double[64];
    double[] centreY = new double[64];
    double[] centreZ = new double[64];
    double[] massX = new double[64];
    double[] massY = new double[64];
    double[] massZ = new double[64];
    int[] depth = new int[64];
    int[] first = new int[64];
    int[] count = new int[64];
    /** The next node outside of this one. */
    int[] next = new int[64];

    int[] group = new int[64];

    /** Empty. */
    Tree(Blocks blocks) {
        this.blocks = blocks;
        this.roots = new int[blocks.count()];
        this.points = new Surroundings(new double[0], new double[0], new double[0], 0, 0, 0);
    }

    /** Builds anew. */
    void build(Surroundings surroundings) {
        points = surroundings;
        nodes = 0;
        groups = 0;
        int all = points.count;
        if (keys.length < all) {
            keys = new long[all + all / 4];
        }
        for (int index = 0; index < all; index++) {
            keys[index] = HilbertCurve.key(points.x[index], points.y[index], points.z[index]);
        }
        Arrays.fill(roots, -1);
        int index = 0;
        while (index < all) {
            int block = blocks.of(keys[index]);
            int end = index + 1;
            while (end < all && blocks.of(keys[end]) == block) {
                end++;
            }
            boolean isOwn = points.isOwn(index);
            roots[block] = nodes;
            addNode(index, end, blocks.level(), isOwn);
            index = end;
        }
    }

    /** The root of a block; -1 if it has no particles. */
    int root(int block) {
        return roots[block];
    }

    /** Number of groups of own particles. */
    int groups() {
        return groups;
    }

    /** What it was built of. */
    Surroundings points() {
        return points;
    }

    /** Whether a node has no nodes inside it. */
    boolean isLeaf(int node) {
        return next[node] == node + 1;
    }

    /** The edge of the cube of a node. */
    double edge(int node) {
        return 1.0 / (1L << depth[node]);
    }

    private int addNode(int from, int to, int level, boolean findGroups) {
        reserve();
        int node = nodes++;
        boolean isGroup = findGroups && (to - from <= GROUP || level == HilbertCurve.LEVELS);
        if (isGroup) {
            if (groups == group.length) {
                group = Arrays.copyOf(group, 2 * groups);
            }
            group[groups++] = node;
        }
        double edge = 1.0 / (1L << level);
        depth[node] = level;
        first[node] = from;
        count[node] = to - from;
        centreX[node] = (Math.floor(points.x[from] / edge) + 0.5) * edge;
        centreY[node] = (Math.floor(points.y[from] / edge) + 0.5) * edge;
        centreZ[node] = (Math.floor(points.z[from] / edge) + 0.5) * edge;
        double sumX = 0;
        double sumY = 0;
        double sumZ = 0;
        if (to - from <= LEAF || level == HilbertCurve.LEVELS) {
            for (int index = from; index < to; index++) {
                sumX += points.x[index];
                sumY += points.y[index];
                sumZ += points.z[index];
            }
        } else {
            int shift = 3 * (HilbertCurve.LEVELS - level - 1);
            int start = from;
            while (start < to) {
                long octant = keys[start] >>> shift;
                int end = start + 1;
                while (end < to && keys[end] >>> shift == octant) {
                    end++;
                }
                int child = addNode(start, end, level + 1, findGroups && !isGroup);
                sumX += count[child] * massX[child];
                sumY += count[child] * massY[child];
                sumZ += count[child] * massZ[child];
                start = end;
            }
        }
        massX[node] = sumX / (to - from);
        massY[node] = sumY / (to - from);
        massZ[node] = sumZ / (to - from);
        next[node] = nodes;
        return node;
    }

    private void reserve() {
        if (nodes < depth.length) {
            return;
        }
        int length = 2 * nodes;
        centreX = Arrays.copyOf(centreX, length);
        centreY = Arrays.copyOf(centreY, length);
        centreZ = Arrays.copyOf(centreZ, length);
        massX = Arrays.copyOf(massX, length);
        massY = Arrays.copyOf(massY, length);
        massZ = Arrays.copyOf(massZ, length);
        depth = Arrays.copyOf(depth, length);
        first = Arrays.copyOf(first, length);
        count = Arrays.copyOf(count, length);
        next = Arrays.copyOf(next, length);
    }
}
