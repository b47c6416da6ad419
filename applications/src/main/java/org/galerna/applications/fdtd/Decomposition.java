package org.galerna.applications.fdtd;

/**
 * The grid cut into {@code columns} by {@code rows} tiles, one per rank, ranks numbered row by row. Where the grid does
 * not divide evenly, the first tiles of a direction are one cell larger.
 *
 * @param gridWidth cells of the grid in x
 * @param gridHeight cells of the grid in y
 * @param columns tiles in x
 * @param rows tiles in y
 */
public record Decomposition(int gridWidth, int gridHeight, int columns, int rows) {
    /** No rank on that side: the wall of the cavity. */
    public static final int NO_RANK = -1;

    /** A side of a tile. */
    public enum Side {
        /** Towards smaller x. */
        WEST(-1, 0, 0),
        /** Towards larger x. */
        EAST(1, 0, 1),
        /** Towards smaller y. */
        NORTH(0, -1, 2),
        /** Towards larger y. */
        SOUTH(0, 1, 3);

        private final int stepX;
        private final int stepY;
        private final int tag;

        Side(int stepX, int stepY, int tag) {
            this.stepX = stepX;
            this.stepY = stepY;
            this.tag = tag;
        }

        /** Tag of the messages that leave a tile on this side. */
        int tag() {
            return tag;
        }

        /** The side that a neighbour on this side sees. */
        public Side opposite() {
            return switch (this) {
                case WEST -> EAST;
                case EAST -> WEST;
                case NORTH -> SOUTH;
                case SOUTH -> NORTH;
            };
        }

        /** Whether the cells along this side are a column of the grid. */
        public boolean isColumn() {
            return stepX != 0;
        }
    }

    /** Checks that every tile gets a cell. */
    public Decomposition {
        if (columns < 1 || rows < 1 || columns > gridWidth || rows > gridHeight) {
            throw new IllegalArgumentException("a grid of " + gridWidth + " by " + gridHeight
                    + " cells cannot be cut into " + columns + " by " + rows + " tiles");
        }
    }

    /**
     * The decomposition into {@code ranks} tiles with the fewest cells along inner borders, hence with tiles as square
     * as the divisors of {@code ranks} allow.
     *
     * @throws IllegalArgumentException if no way of cutting gives every rank a cell
     */
    public static Decomposition of(int gridWidth, int gridHeight, int ranks) {
        if (ranks < 1) {
            throw new IllegalArgumentException("at least one rank is needed, not " + ranks);
        }
        int bestColumns = 0;
        long fewest = Long.MAX_VALUE;
        for (int columns = 1; columns <= ranks; columns++) {
            int rows = ranks / columns;
            if (columns * rows != ranks || columns > gridWidth || rows > gridHeight) {
                continue;
            }
            long border = (columns - 1L) * gridHeight + (rows - 1L) * gridWidth;
            if (border < fewest) {
                fewest = border;
                bestColumns = columns;
            }
        }
        if (bestColumns == 0) {
            throw new IllegalArgumentException("a grid of " + gridWidth + " by " + gridHeight
                    + " cells cannot be cut into " + ranks + " tiles: use fewer ranks or a larger grid");
        }
        return new Decomposition(gridWidth, gridHeight, bestColumns, ranks / bestColumns);
    }

    /** Number of tiles. */
    public int ranks() {
        return columns * rows;
    }

    /** The cells of a rank. */
    public Tile tile(int rank) {
        int column = rank % columns;
        int row = rank / columns;
        int x = start(column, gridWidth, columns);
        int y = start(row, gridHeight, rows);
        return new Tile(x, y, start(column + 1, gridWidth, columns) - x, start(row + 1, gridHeight, rows) - y);
    }

    /** The rank on that side of {@code rank}, or {@link #NO_RANK} at the wall. */
    public int neighbour(int rank, Side side) {
        int column = rank % columns + side.stepX;
        int row = rank / columns + side.stepY;
        if (column < 0 || column >= columns || row < 0 || row >= rows) {
            return NO_RANK;
        }
        return row * columns + column;
    }

    private static int start(int index, int cells, int parts) {
        int smallest = cells / parts;
        int larger = cells % parts;
        return index * smallest + Math.min(index, larger);
    }
}
