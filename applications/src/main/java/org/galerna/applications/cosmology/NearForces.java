package org.galerna.applications.cosmology;

/**
 * The part of the forces that does not reach far, by the trees of the blocks around. A node acts as one mass if its edge
 * is small beside its distance from a group; else what is inside it acts. All particles of a group have the same
 * partners: J. E. Barnes, J. Comp. Phys. 87, 1990. Not thread-safe.
 */
final class NearForces {
    private final Blocks blocks;
    private final Tree tree;
    private final Partners partners;
    private final double reachSquared;
    private final double openingSquared;
    private final double strength;
    private final double[] sums = new double[3];

    // the group that the walk is for: its middle, half of its extent, and where its force goes
    private double middleX;
    private double middleY;
    private double middleZ;
    private double halfX;
    private double halfY;
    private double halfZ;
    private int group;
    private boolean withPotential;

    /**
     * Forces.
     *
     * @param opening the largest edge of a node that acts as a whole, in units of its distance
     * @param softening in units of the box
     * @param strength potential of a particle at a distance of one box, with its sign turned
     */
    NearForces(Blocks blocks, ForceSplit split, double opening, double softening, double strength) {
        this.blocks = blocks;
        this.tree = new Tree(blocks);
        this.partners = new Partners(split, softening);
        this.reachSquared = split.reach() * split.reach();
        this.openingSquared = opening * opening;
        this.strength = strength;
    }

    /** The trees of the last call. */
    Tree tree() {
        return tree;
    }

    /** Sets forces, work, and the potential if that is asked for, of all own particles. */
    void compute(Surroundings surroundings, Particles particles, boolean potential) {
        tree.build(surroundings);
        withPotential = potential;
        for (int index = 0; index < particles.count(); index++) {
            particles.forceX[index] = 0;
            particles.forceY[index] = 0;
            particles.forceZ[index] = 0;
            particles.potential[index] = potential ? -strength * partners.ownPotential() : 0;
            particles.work[index] = 0;
        }
        for (int index = 0; index < tree.groups(); index++) {
            computeGroup(tree.group[index], particles);
        }
    }

    private void computeGroup(int node, Particles particles) {
        group = node;
        measure();
        Surroundings points = tree.points();
        int first = tree.first[node];
        int blockX = blocks.coordinate(points.x[first]);
        int blockY = blocks.coordinate(points.y[first]);
        int blockZ = blocks.coordinate(points.z[first]);
        int steps = blocks.steps();
        for (int z = -steps; z <= steps; z++) {
            for (int y = -steps; y <= steps; y++) {
                for (int x = -steps; x <= steps; x++) {
                    int root = tree.root(blocks.at(blockX + x, blockY + y, blockZ + z));
                    if (root >= 0 && blocks.isNear(x, y, z)) {
                        walk(root, shift(blockX + x), shift(blockY + y), shift(blockZ + z), particles);
                    }
                }
            }
        }
        act(particles);
    }

    /** How many boxes a block lies beyond the edge. */
    private double shift(int block) {
        return Math.floorDiv(block, blocks.across());
    }

    private void measure() {
        Surroundings points = tree.points();
        int from = tree.first[group];
        int to = from + tree.count[group];
        double lowX = 1;
        double lowY = 1;
        double lowZ = 1;
        double highX = 0;
        double highY = 0;
        double highZ = 0;
        for (int index = from; index < to; index++) {
            lowX = Math.min(lowX, points.x[index]);
            highX = Math.max(highX, points.x[index]);
            lowY = Math.min(lowY, points.y[index]);
            highY = Math.max(highY, points.y[index]);
            lowZ = Math.min(lowZ, points.z[index]);
            highZ = Math.max(highZ, points.z[index]);
        }
        middleX = (lowX + highX) / 2;
        middleY = (lowY + highY) / 2;
        middleZ = (lowZ + highZ) / 2;
        halfX = (highX - lowX) / 2;
        halfY = (highY - lowY) / 2;
        halfZ = (highZ - lowZ) / 2;
    }

    private void walk(int root, double shiftX, double shiftY, double shiftZ, Particles particles) {
        Surroundings points = tree.points();
        int node = root;
        int end = tree.next[root];
        while (node < end) {
            double edge = tree.edge(node);
            double gapX = gap(tree.centreX[node] + shiftX - middleX, halfX + edge / 2);
            double gapY = gap(tree.centreY[node] + shiftY - middleY, halfY + edge / 2);
            double gapZ = gap(tree.centreZ[node] + shiftZ - middleZ, halfZ + edge / 2);
            if (gapX * gapX + gapY * gapY + gapZ * gapZ >= reachSquared) {
                node = tree.next[node];
                continue;
            }
            double massX = tree.massX[node] + shiftX;
            double massY = tree.massY[node] + shiftY;
            double massZ = tree.massZ[node] + shiftZ;
            double awayX = gap(massX - middleX, halfX);
            double awayY = gap(massY - middleY, halfY);
            double awayZ = gap(massZ - middleZ, halfZ);
            double away = awayX * awayX + awayY * awayY + awayZ * awayZ;
            if (edge * edge < openingSquared * away) {
                add(massX, massY, massZ, tree.count[node], particles);
                node = tree.next[node];
            } else if (tree.isLeaf(node)) {
                int last = tree.first[node] + tree.count[node];
                for (int index = tree.first[node]; index < last; index++) {
                    add(points.x[index] + shiftX, points.y[index] + shiftY, points.z[index] + shiftZ, 1, particles);
                }
                node = tree.next[node];
            } else {
                node++;
            }
        }
    }

    private static double gap(double distance, double half) {
        return Math.max(0, Math.abs(distance) - half);
    }

    private void add(double x, double y, double z, double mass, Particles particles) {
        if (partners.isFull()) {
            act(particles);
        }
        partners.add(x, y, z, mass);
    }

    private void act(Particles particles) {
        if (partners.isEmpty()) {
            return;
        }
        Surroundings points = tree.points();
        int from = tree.first[group];
        int to = from + tree.count[group];
        for (int index = from; index < to; index++) {
            double x = points.x[index];
            double y = points.y[index];
            double z = points.z[index];
            int own = index - points.first;
            sums[0] = 0;
            sums[1] = 0;
            sums[2] = 0;
            partners.attract(x, y, z, sums);
            particles.forceX[own] += strength * sums[0];
            particles.forceY[own] += strength * sums[1];
            particles.forceZ[own] += strength * sums[2];
            if (withPotential) {
                particles.potential[own] += strength * partners.potential(x, y, z);
            }
            particles.work[own] += partners.count();
        }
        partners.clear();
    }
}
