package org.galerna.applications.fdtd;

/**
 * A rectangle of grid cells.
 *
 * @param x first column
 * @param y first row
 * @param width columns, at least 1
 * @param height rows, at least 1
 */
public record Tile(int x, int y, int width, int height) {
    /** Checks the extent. */
    public Tile {
        if (width < 1 || height < 1) {
            throw new IllegalArgumentException(
                    "a tile needs at least one column and one row, not " + width + " by " + height);
        }
    }

    /** One past the last column. */
    public int endX() {
        return x + width;
    }

    /** One past the last row. */
    public int endY() {
        return y + height;
    }

    /** Number of cells. */
    public long cells() {
        return (long) width * height;
    }

    /** Whether the cell lies inside. */
    public boolean contains(int column, int row) {
        return column >= x && column < endX() && row >= y && row < endY();
    }
}
