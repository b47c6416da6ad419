package org.galerna.applications.cosmology;

/**
 * The box, cut into equal blocks, each a few cells of the mesh wide. A block is the least that a domain is made of, and has a
 * tree of its own, so that forces do not depend on where domains end.
 */
final class Blocks {
    /** Cells of the mesh along an edge of a block. */
    private static final int CELLS = 8;

    private final int level;
    private final int across;
    private final int[] places;
    private final int steps;
    private final double reach;

    /**
     * For a mesh.
     *
     * @param mesh cells along an edge of the box, a power of two
     * @param reach how far forces reach, in units of the box
     */
    Blocks(int mesh, double reach) {
        this.across = mesh / CELLS;
        this.level = Integer.numberOfTrailingZeros(across);
        this.reach = reach;
        this.steps = 1 + (int) (reach * across);
        this.places = new int[across * across * across];
        for (int z = 0; z < across; z++) {
            for (int y = 0; y < across; y++) {
                for (int x = 0; x < across; x++) {
                    places[(z * across + y) * across + x] = (int) HilbertCurve.key(x, y, z, level);
                }
            }
        }
    }

    /** Their number. */
    int count() {
        return places.length;
    }

    /** The level of octants that they are. */
    int level() {
        return level;
    }

    /** Blocks along an edge of the box. */
    int across() {
        return across;
    }

    /** The place on the curve of the block that a key is in. */
    int of(long key) {
        return (int) (key >>> (3 * (HilbertCurve.LEVELS - level)));
    }

    /** The row or column of a coordinate. */
    int coordinate(double place) {
        return (int) (place * across);
    }

    /** The place on the curve of a block, which may lie beyond the edges of the box. */
    int at(int x, int y, int z) {
        int mask = across - 1;
        return places[((z & mask) * across + (y & mask)) * across + (x & mask)];
    }

    /** How many blocks away forces reach. */
    int steps() {
        return steps;
    }

    /** Whether a point of a block can feel one of the block so many blocks away. */
    boolean isNear(int stepX, int stepY, int stepZ) {
        double x = gap(stepX);
        double y = gap(stepY);
        double z = gap(stepZ);
        return x * x + y * y + z * z < reach * reach;
    }

    private double gap(int step) {
        return Math.max(0, Math.abs(step) - 1) / (double) across;
    }
}
