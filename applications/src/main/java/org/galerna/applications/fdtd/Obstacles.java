package org.galerna.applications.fdtd;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Which cells of the grid are perfect conductors: the outermost ring always (the walls of the cavity), inner cells as
 * told. Not thread-safe while it is being filled.
 */
public final class Obstacles {
    private final int width;
    private final int height;
    private final BitSet cells;

    private Obstacles(int width, int height, BitSet cells) {
        this.width = width;
        this.height = height;
        this.cells = cells;
    }

    /** Walls, and free space inside. */
    public static Obstacles walls(int width, int height) {
        Obstacles obstacles = new Obstacles(width, height, new BitSet(Math.multiplyExact(width, height)));
        obstacles.addWalls();
        return obstacles;
    }

    /** The obstacles that {@link #toWords} described. */
    public static Obstacles ofWords(int width, int height, long[] words) {
        Obstacles obstacles = new Obstacles(width, height, BitSet.valueOf(words));
        obstacles.addWalls();
        return obstacles;
    }

    private void addWalls() {
        cells.set(0, width);
        cells.set((height - 1) * width, height * width);
        for (int y = 1; y < height - 1; y++) {
            cells.set(y * width);
            cells.set(y * width + width - 1);
        }
    }

    /** One bit per cell, row by row, in {@code ceil(cells / 64)} words. */
    public long[] toWords() {
        long[] words = new long[wordCount(width, height)];
        long[] used = cells.toLongArray();
        System.arraycopy(used, 0, words, 0, used.length);
        return words;
    }

    /** Length of what {@link #toWords} returns for a grid. */
    public static int wordCount(int width, int height) {
        return (int) (((long) width * height + 63) / 64);
    }

    /** Makes one cell a conductor. */
    public void add(int x, int y) {
        cells.set(y * width + x);
    }

    /** Whether the cell is a conductor. */
    public boolean isConductor(int x, int y) {
        return cells.get(y * width + x);
    }

    /** Number of conducting cells, walls included. */
    public int count() {
        return cells.cardinality();
    }

    /** Columns of the grid. */
    public int width() {
        return width;
    }

    /** Rows of the grid. */
    public int height() {
        return height;
    }

    /**
     * The conductors of one row of a tile as runs: start and end (exclusive) of each, in columns relative to the tile,
     * ascending.
     */
    int[] runs(Tile tile, int row) {
        int base = (tile.y() + row) * width + tile.x();
        int end = base + tile.width();
        int[] runs = new int[8];
        int used = 0;
        for (int from = cells.nextSetBit(base); from >= 0 && from < end; ) {
            int to = Math.min(cells.nextClearBit(from), end);
            if (used == runs.length) {
                runs = Arrays.copyOf(runs, 2 * used);
            }
            runs[used++] = from - base;
            runs[used++] = to - base;
            from = cells.nextSetBit(to);
        }
        return Arrays.copyOf(runs, used);
    }
}
