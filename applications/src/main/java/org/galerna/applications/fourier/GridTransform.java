package org.galerna.applications.fourier;

import mpi.Intracomm;
import mpi.MPI;
import org.galerna.applications.ProgramException;
import org.galerna.applications.team.Team;

/**
 * Transforms of a three-dimensional grid that ranks have cut into slabs. In space a rank has whole planes, in the
 * spectrum it has some of the rows of every plane: the grid changes hands once, by {@code Alltoall}. A row in x is always
 * whole and an array of its own.
 */
public final class GridTransform {
    /** Lines that are transformed side by side. */
    private static final int BATCH = 64;

    private final Intracomm ranks;
    private final int width;
    private final int height;
    private final int depth;
    private final int parts;
    private final int planes;
    private final int rowsOfPlane;
    private final double[] outbound;
    private final double[] inbound;
    private final int[] counts;
    private final int[] places;

    /** Of a grid with powers of two of points, each at least as many as there are ranks in y and z. */
    public GridTransform(Intracomm ranks, int width, int height, int depth) {
        this.ranks = ranks;
        this.width = width;
        this.height = height;
        this.depth = depth;
        this.parts = ranks.Size();
        if (height % parts != 0 || depth % parts != 0) {
            throw new ProgramException(
                    parts + " ranks cannot share " + depth + " planes of " + height + " rows evenly");
        }
        this.planes = depth / parts;
        this.rowsOfPlane = height / parts;
        int buffer = parts == 1 ? 0 : Math.multiplyExact(2 * width, Math.multiplyExact(planes, height));
        this.outbound = new double[buffer];
        this.inbound = new double[buffer];
        this.counts = new int[parts];
        this.places = new int[parts];
        for (int part = 0; part < parts; part++) {
            counts[part] = part == ranks.Rank() ? 0 : buffer / parts;
            places[part] = part * (buffer / parts);
        }
    }

    /** The real or the imaginary parts of what a rank has. */
    public double[][] allocate() {
        return new double[planes * height][width];
    }

    /** Points in x. */
    public int width() {
        return width;
    }

    /** Planes of this rank, in space. */
    public int planes() {
        return planes;
    }

    /** The first plane of this rank, in space. */
    public int firstPlane() {
        return ranks.Rank() * planes;
    }

    /** Where the row y of a plane of this rank is, in space. */
    public int rowInSpace(int y, int localPlane) {
        return localPlane * height + y;
    }

    /** The rows in y that this rank has of every plane, in the spectrum. */
    public int rowsOfSpectrum() {
        return rowsOfPlane;
    }

    /** The first of them. */
    public int firstRowOfSpectrum() {
        return ranks.Rank() * rowsOfPlane;
    }

    /** Where a row of this rank is, in the spectrum. */
    public int rowInSpectrum(int localRow, int z) {
        return parts == 1 ? z * height + localRow : localRow * depth + z;
    }

    /** What a thread needs for its share. */
    public final class Workspace {
        private final LineTransform inX = new LineTransform(width, BATCH);
        private final LineTransform inY = height == width ? inX : new LineTransform(height, BATCH);
        private final LineTransform inZ = depth == width ? inX : new LineTransform(depth, BATCH);
    }

    /** From space to the spectrum, in place. All threads call it, with workspaces of their own. */
    public void forward(Team.Member member, Workspace work, double[][] real, double[][] imaginary) {
        for (int plane = member.from(planes); plane < member.to(planes); plane++) {
            alongX(work.inX, real, imaginary, plane * height, false);
            for (int x = 0; x < width; x += BATCH) {
                fromRows(work.inY, real, imaginary, plane * height, 1, x);
                transform(work.inY, batch(x), false);
                if (parts == 1) {
                    toRows(work.inY, real, imaginary, plane * height, 1, x);
                } else {
                    planeToBuffer(work.inY, plane, x);
                }
            }
        }
        member.once(this::exchange);
        for (int row = member.from(rowsOfPlane); row < member.to(rowsOfPlane); row++) {
            for (int x = 0; x < width; x += BATCH) {
                if (parts == 1) {
                    fromRows(work.inZ, real, imaginary, rowInSpectrum(row, 0), stepInZ(), x);
                } else {
                    rowFromBuffer(work.inZ, row, x);
                }
                transform(work.inZ, batch(x), false);
                toRows(work.inZ, real, imaginary, rowInSpectrum(row, 0), stepInZ(), x);
            }
        }
        member.barrier();
    }

    /** From the spectrum to space, in place; nothing is divided. */
    public void inverse(Team.Member member, Workspace work, double[][] real, double[][] imaginary) {
        for (int row = member.from(rowsOfPlane); row < member.to(rowsOfPlane); row++) {
            for (int x = 0; x < width; x += BATCH) {
                fromRows(work.inZ, real, imaginary, rowInSpectrum(row, 0), stepInZ(), x);
                transform(work.inZ, batch(x), true);
                if (parts == 1) {
                    toRows(work.inZ, real, imaginary, rowInSpectrum(row, 0), stepInZ(), x);
                } else {
                    rowToBuffer(work.inZ, row, x);
                }
            }
        }
        member.once(this::exchange);
        for (int plane = member.from(planes); plane < member.to(planes); plane++) {
            for (int x = 0; x < width; x += BATCH) {
                if (parts == 1) {
                    fromRows(work.inY, real, imaginary, plane * height, 1, x);
                } else {
                    planeFromBuffer(work.inY, plane, x);
                }
                transform(work.inY, batch(x), true);
                toRows(work.inY, real, imaginary, plane * height, 1, x);
            }
            alongX(work.inX, real, imaginary, plane * height, true);
        }
        member.barrier();
    }

    private int batch(int x) {
        return Math.min(BATCH, width - x);
    }

    private int stepInZ() {
        return parts == 1 ? height : 1;
    }

    // Lines that go from row to row, at the places from x on of each.

    private void fromRows(LineTransform lines, double[][] real, double[][] imaginary, int first, int step, int x) {
        int batch = batch(x);
        for (int element = 0; element < lines.length(); element++) {
            System.arraycopy(real[first + element * step], x, lines.real()[element], 0, batch);
            System.arraycopy(imaginary[first + element * step], x, lines.imaginary()[element], 0, batch);
        }
    }

    private void toRows(LineTransform lines, double[][] real, double[][] imaginary, int first, int step, int x) {
        int batch = batch(x);
        for (int element = 0; element < lines.length(); element++) {
            System.arraycopy(lines.real()[element], 0, real[first + element * step], x, batch);
            System.arraycopy(lines.imaginary()[element], 0, imaginary[first + element * step], x, batch);
        }
    }

    /** The rows of a plane themselves. */
    private void alongX(LineTransform lines, double[][] real, double[][] imaginary, int first, boolean back) {
        for (int y = 0; y < height; y += BATCH) {
            int batch = Math.min(BATCH, height - y);
            transpose(real, first + y, batch, lines.real());
            transpose(imaginary, first + y, batch, lines.imaginary());
            transform(lines, batch, back);
            transposeBack(lines.real(), real, first + y, batch);
            transposeBack(lines.imaginary(), imaginary, first + y, batch);
        }
    }

    private static void transform(LineTransform lines, int batch, boolean back) {
        if (back) {
            lines.inverse(batch);
        } else {
            lines.forward(batch);
        }
    }

    private static final int TILE = 8;

    private static void transpose(double[][] rows, int first, int batch, double[][] columns) {
        for (int line = 0; line < batch; line += TILE) {
            int end = Math.min(batch, line + TILE);
            for (int element = 0; element < columns.length; element++) {
                double[] column = columns[element];
                for (int each = line; each < end; each++) {
                    column[each] = rows[first + each][element];
                }
            }
        }
    }

    private static void transposeBack(double[][] columns, double[][] rows, int first, int batch) {
        for (int element = 0; element < columns.length; element += TILE) {
            int end = Math.min(columns.length, element + TILE);
            for (int line = 0; line < batch; line++) {
                double[] row = rows[first + line];
                for (int each = element; each < end; each++) {
                    row[each] = columns[each][line];
                }
            }
        }
    }

    // The part of the buffer for or from a rank has its planes one after the other, each with its rows.

    private int place(int part, int plane, int row) {
        return ((part * planes + plane) * rowsOfPlane + row) * 2 * width;
    }

    private void planeToBuffer(LineTransform lines, int plane, int x) {
        for (int y = 0; y < height; y++) {
            toBuffer(lines, y, place(y / rowsOfPlane, plane, y % rowsOfPlane), x);
        }
    }

    private void planeFromBuffer(LineTransform lines, int plane, int x) {
        for (int y = 0; y < height; y++) {
            fromBuffer(lines, y, y / rowsOfPlane, place(y / rowsOfPlane, plane, y % rowsOfPlane), x);
        }
    }

    private void rowToBuffer(LineTransform lines, int row, int x) {
        for (int z = 0; z < depth; z++) {
            toBuffer(lines, z, place(z / planes, z % planes, row), x);
        }
    }

    private void rowFromBuffer(LineTransform lines, int row, int x) {
        for (int z = 0; z < depth; z++) {
            fromBuffer(lines, z, z / planes, place(z / planes, z % planes, row), x);
        }
    }

    private void toBuffer(LineTransform lines, int element, int place, int x) {
        System.arraycopy(lines.real()[element], 0, outbound, place + x, batch(x));
        System.arraycopy(lines.imaginary()[element], 0, outbound, place + width + x, batch(x));
    }

    private void fromBuffer(LineTransform lines, int element, int part, int place, int x) {
        double[] buffer = part == ranks.Rank() ? outbound : inbound;
        System.arraycopy(buffer, place + x, lines.real()[element], 0, batch(x));
        System.arraycopy(buffer, place + width + x, lines.imaginary()[element], 0, batch(x));
    }

    /** The part of this rank stays where it is. */
    private void exchange() {
        if (parts > 1) {
            ranks.Alltoallv(outbound, 0, counts, places, MPI.DOUBLE, inbound, 0, counts, places, MPI.DOUBLE);
        }
    }
}
