package org.galerna.applications.fdtd;

import java.util.Arrays;
import org.galerna.applications.fdtd.Decomposition.Side;

/**
 * The fields of one tile and their advance in time: K. S. Yee's scheme ("Numerical solution of initial boundary value
 * problems involving Maxwell's equations in isotropic media", 1966) for the transverse magnetic mode in two dimensions.
 *
 * <p>{@code Ez} lies on the cells, {@code Hx(x, y)} between the cells {@code (x, y)} and {@code (x, y + 1)},
 * {@code Hy(x, y)} between {@code (x, y)} and {@code (x + 1, y)}. The magnetic field is kept times the impedance of
 * free space, so that all three are in V/m and one number, the Courant number {@code S = c dt / dx}, is the only
 * coefficient:
 *
 * <pre>
 *   Hx -= S (Ez(x, y + 1) - Ez(x, y))
 *   Hy += S (Ez(x + 1, y) - Ez(x, y))
 *   Ez += S ((Hy(x, y) - Hy(x - 1, y)) - (Hx(x, y) - Hx(x, y - 1)))
 * </pre>
 *
 * <p><b>Halo.</b> {@code Ez} has a ring of ghost cells. Only {@code Ez} is exchanged, once a step, with the four
 * neighbours; the {@code Hx} of the row beyond the north side and the {@code Hy} of the column beyond the west side are
 * computed here a second time, by the same operations on the same numbers as at their owner. So a step needs one round
 * of messages instead of two, and no corners.
 *
 * <p><b>Order.</b> One sweep advances magnetic and electric field row by row: when row {@code y} of {@code Ez} is
 * advanced, nothing needs its old value any more. Each row is then read from the cache and not from memory. The
 * operations on a cell are the same, in the same order, in every decomposition, and so are the results, bit for bit.
 *
 * <p><b>Inside and border.</b> The sweep leaves out what needs a ghost cell of a neighbour: the magnetic field beyond the
 * border, and the cells of {@code Ez} along it. A second part follows for these. So messages travel during the sweep, and
 * a rank that is held up for less than a sweep holds up nobody.
 *
 * <p><b>Arrays.</b> One per row, because the compiler makes vector code only of loops whose indexes differ by constants;
 * rows of one large array, at distances it does not know, cost four times the time per cell. It also makes none where an
 * element that is read lies before the one that is written, in whatever array: new values of {@code Ez} are computed one
 * place too far down, in a row of their own, and copied up, which takes 0.6 of the time.
 *
 * <p>Not thread-safe.
 */
public final class Subdomain {
    /** Index of the first cell of the tile in the rows of {@code Ez}. */
    static final int FIRST_CELL = 1;

    private final Tile tile;
    private final double courant;
    // Row r and column c of the tile: ez[r + 1][c + 1], hx[r + 1][c], hy[r][c + 1].
    private final double[][] ez;
    private final double[][] hx;
    private final double[][] hy;
    private final double[] newEz;
    private final int[][] conductors;
    private final Source.Kind sourceKind;
    private final Tile sourceRegion;
    private final boolean hasNorth;
    private final boolean hasWest;
    private final boolean hasSouth;
    private final boolean hasEast;
    // The cells that need no ghost cell of a neighbour.
    private final int insideRow;
    private final int insideEndRow;
    private final int insideColumn;
    private final int insideEndColumn;

    // only while energy is measured
    private final double[] oldEz;
    private final double[] oldHx;
    private final double[] oldHy;
    private final double[] energyDensity;

    /**
     * A tile without any field.
     *
     * @param courant Courant number, at most {@code 1 / sqrt(2)}
     */
    public Subdomain(Tile tile, Obstacles obstacles, double courant, Source source) {
        int width = tile.width();
        int height = tile.height();
        this.tile = tile;
        this.courant = courant;
        this.ez = new double[height + 2][width + 2];
        this.hx = new double[height + 1][width];
        this.hy = new double[height][width + 1];
        this.newEz = new double[width];
        this.conductors = new int[height][];
        for (int row = 0; row < height; row++) {
            conductors[row] = obstacles.runs(tile, row);
        }
        this.sourceKind = source.kind();
        this.sourceRegion = source.region();
        this.hasNorth = tile.y() > 0;
        this.hasWest = tile.x() > 0;
        this.hasSouth = tile.endY() < obstacles.height();
        this.hasEast = tile.endX() < obstacles.width();
        this.insideRow = hasNorth ? 1 : 0;
        this.insideEndRow = Math.max(insideRow, hasSouth ? height - 1 : height);
        this.insideColumn = hasWest ? 1 : 0;
        this.insideEndColumn = Math.max(insideColumn, hasEast ? width - 1 : width);
        this.oldEz = new double[width];
        this.oldHx = new double[width];
        this.oldHy = new double[width];
        this.energyDensity = new double[width];
    }

    /** The cells of the grid that this is. */
    public Tile tile() {
        return tile;
    }

    /**
     * The part of a time step that needs no ghost cell of a neighbour, for some rows. Call it for all rows, from north to
     * south, and then {@link #stepBorder}. Messages may fill the ghost cells meanwhile.
     */
    void stepInside(int firstRow, int endRow) {
        if (firstRow == 0 && !hasNorth) {
            advanceHx(0);
        }
        for (int row = firstRow; row < endRow; row++) {
            if (row + 1 < tile.height() || !hasSouth) {
                advanceHx(row + 1);
            }
            advanceHy(row, hasWest ? 1 : 0, hasEast ? tile.width() : tile.width() + 1);
            if (row >= insideRow && row < insideEndRow) {
                advanceEz(row, insideColumn, insideEndColumn);
            }
        }
    }

    /**
     * The rest of a time step; the ghost cells must hold what the neighbours had before it.
     *
     * @param pulse value of the source in V/m
     */
    void stepBorder(double pulse) {
        advanceBorderH();
        int width = tile.width();
        for (int row = 0; row < insideRow; row++) {
            advanceEz(row, 0, width);
        }
        for (int row = insideRow; row < insideEndRow; row++) {
            for (int column = 0; column < insideColumn; column++) {
                advanceEzCell(row, column);
            }
            for (int column = insideEndColumn; column < width; column++) {
                advanceEzCell(row, column);
            }
        }
        for (int row = insideEndRow; row < tile.height(); row++) {
            advanceEz(row, 0, width);
        }
        drive(pulse);
    }

    private void advanceBorderH() {
        int width = tile.width();
        int height = tile.height();
        if (hasNorth) {
            advanceHx(0);
        }
        if (hasSouth) {
            advanceHx(height);
        }
        for (int row = 0; row < height; row++) {
            if (hasWest) {
                hy[row][0] += courant * (ez[row + 1][1] - ez[row + 1][0]);
            }
            if (hasEast) {
                hy[row][width] += courant * (ez[row + 1][width + 1] - ez[row + 1][width]);
            }
        }
    }

    /**
     * Advances by one time step, and adds up the energy of the tile before it; the ghost cells must hold what the neighbours
     * had then.
     *
     * <p>The terms are {@code Ez(n)^2 + H(n - 1/2) H(n + 1/2)}: with the two magnetic fields around the time of the
     * electric one, the sum over the cavity is exactly what the scheme conserves. Energy per metre of height is
     * {@code epsilon0 / 2 dx^2} times the sum.
     */
    public void stepMeasuringEnergy(double pulse, ExactSum energy) {
        int width = tile.width();
        advanceHx(0);
        for (int row = 0; row < tile.height(); row++) {
            System.arraycopy(ez[row + 1], 1, oldEz, 0, width);
            System.arraycopy(hx[row + 1], 0, oldHx, 0, width);
            System.arraycopy(hy[row], 1, oldHy, 0, width);
            advanceHx(row + 1);
            advanceHy(row, 0, width + 1);
            advanceEz(row, 0, width);
            computeEnergy(energyDensity, oldEz, oldHx, hx[row + 1], oldHy, hy[row]);
            energy.add(energyDensity, 0, width);
        }
        drive(pulse);
    }

    /** {@code Hx} between the rows {@code row - 1} and {@code row} of the tile. */
    private void advanceHx(int row) {
        advanceHx(hx[row], ez[row], ez[row + 1], tile.width(), courant);
    }

    /** {@code Hy} between the columns {@code column - 1} and {@code column}, of some columns. */
    private void advanceHy(int row, int column, int endColumn) {
        advanceHy(hy[row], ez[row + 1], column, endColumn, courant);
    }

    private void advanceEz(int row, int column, int endColumn) {
        differences(newEz, hy[row], column, endColumn);
        computeEz(newEz, ez[row + 1], hx[row], hx[row + 1], column, endColumn, courant);
        System.arraycopy(newEz, column, ez[row + 1], column + 1, endColumn - column);
        clearConductors(row);
    }

    /** One cell, by the same operations as those of {@link #advanceEz}. */
    private void advanceEzCell(int row, int column) {
        double difference = hy[row][column + 1] - hy[row][column];
        ez[row + 1][column + 1] += courant * (difference - (hx[row + 1][column] - hx[row][column]));
        clearConductors(row);
    }

    private static void advanceHx(double[] hx, double[] ez, double[] southEz, int count, double courant) {
        for (int column = 0; column < count; column++) {
            hx[column] -= courant * (southEz[column + 1] - ez[column + 1]);
        }
    }

    private static void advanceHy(double[] hy, double[] ez, int from, int end, double courant) {
        for (int column = from; column < end; column++) {
            hy[column] += courant * (ez[column + 1] - ez[column]);
        }
    }

    private static void differences(double[] result, double[] hy, int from, int end) {
        for (int column = from; column < end; column++) {
            result[column] = hy[column + 1] - hy[column];
        }
    }

    private static void computeEz(
            double[] result, double[] ez, double[] northHx, double[] hx, int from, int end, double courant) {
        for (int column = from; column < end; column++) {
            result[column] = ez[column + 1] + courant * (result[column] - (hx[column] - northHx[column]));
        }
    }

    private static void computeEnergy(
            double[] density, double[] oldEz, double[] oldHx, double[] hx, double[] oldHy, double[] hy) {
        for (int column = 0; column < density.length; column++) {
            density[column] =
                    oldEz[column] * oldEz[column] + (oldHx[column] * hx[column] + oldHy[column] * hy[column + 1]);
        }
    }

    private void clearConductors(int row) {
        int[] runs = conductors[row];
        for (int run = 0; run < runs.length; run += 2) {
            Arrays.fill(ez[row + 1], runs[run] + 1, runs[run + 1] + 1, 0.0);
        }
    }

    private void drive(double pulse) {
        int endY = Math.min(sourceRegion.endY(), tile.endY());
        int endX = Math.min(sourceRegion.endX(), tile.endX());
        for (int y = Math.max(sourceRegion.y(), tile.y()); y < endY; y++) {
            double[] row = ez[y - tile.y() + 1];
            for (int x = Math.max(sourceRegion.x(), tile.x()); x < endX; x++) {
                int cell = x - tile.x() + 1;
                row[cell] = sourceKind == Source.Kind.SOFT ? row[cell] + pulse : pulse;
            }
        }
    }

    /**
     * The ghost row beyond a {@code NORTH} or {@code SOUTH} side, to receive into; its first cell is at index
     * {@link #FIRST_CELL}.
     */
    double[] ghostRow(Side side) {
        return side == Side.NORTH ? ez[0] : ez[tile.height() + 1];
    }

    /** Copies the row or column of {@code Ez} along a side. */
    void pack(Side side, double[] target) {
        if (!side.isColumn()) {
            double[] row = side == Side.NORTH ? ez[1] : ez[tile.height()];
            System.arraycopy(row, FIRST_CELL, target, 0, tile.width());
            return;
        }
        int cell = side == Side.WEST ? 1 : tile.width();
        for (int row = 0; row < tile.height(); row++) {
            target[row] = ez[row + 1][cell];
        }
    }

    /** Fills the ghost column beyond a {@code WEST} or {@code EAST} side. */
    void unpackColumn(Side side, double[] source) {
        int cell = side == Side.WEST ? 0 : tile.width() + 1;
        for (int row = 0; row < tile.height(); row++) {
            ez[row + 1][cell] = source[row];
        }
    }

    /**
     * Copies a component of the tile, row by row.
     *
     * @param target at least {@code tile().cells()} values
     */
    public void copy(Component component, double[] target) {
        int width = tile.width();
        for (int row = 0; row < tile.height(); row++) {
            switch (component) {
                case EZ -> System.arraycopy(ez[row + 1], 1, target, row * width, width);
                case HX -> System.arraycopy(hx[row + 1], 0, target, row * width, width);
                case HY -> System.arraycopy(hy[row], 1, target, row * width, width);
            }
        }
    }

    /**
     * Copies every {@code pitch}-th cell of every {@code pitch}-th row of {@code Ez}, counted from the corner of the
     * grid, row by row.
     */
    void sample(int pitch, double[] target) {
        int used = 0;
        for (int y = firstMultiple(tile.y(), pitch); y < tile.endY(); y += pitch) {
            double[] row = ez[y - tile.y() + 1];
            for (int x = firstMultiple(tile.x(), pitch); x < tile.endX(); x += pitch) {
                target[used++] = row[x - tile.x() + 1];
            }
        }
    }

    /** The first multiple of {@code pitch} that is not below {@code from}. */
    static int firstMultiple(int from, int pitch) {
        return (from + pitch - 1) / pitch * pitch;
    }
}
