package org.galerna.applications.fourier;

import mpi.Intracomm;
import mpi.MPI;
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

    /** Of a grid with powers of two of points, each at least as many as there are ranks in y and z. */
    public GridTransform(Intracomm ranks, int width, int height, int depth) {
        this.ranks = ranks;
        this.width = width;
        this.height = height;
        this.depth = depth;
        this.parts = ranks.Size();
        if (height % parts != 0 || depth % parts != 0) {
            throw new IllegalArgumentException(
                    parts + " ranks cannot share " + depth + " planes of " + height + " rows evenly");
        }
        this.planes = depth / parts;
        this.rowsOfPlane = height / parts;
        int buffer = parts == 1 ? 0 : Math.multiplyExact(2 * width, Math.multiplyExact(planes, height));
        this.outbound = new double[buffer];
        this.inbound = new double[buffer];
    }

    /** The real or the imaginary parts of what a rank has. */
    public double[][] allocate() {
        return new double[planes * height][width];
    }

    /** Points in x. */
    public int width() {
        return width;
    }

    /** Points in y, of all ranks. */
    public int height() {
        return height;
    }

    /** Points in z, of all ranks. */
    public int depth() {
        return depth;
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
            alongRows(work.inY, real, imaginary, plane * height, 1, height, false);
        }
        if (parts > 1) {
            packPlanes(member, real, imaginary);
            member.once(this::exchange);
            unpackRows(member, real, imaginary);
        }
        member.barrier();
        for (int row = member.from(rowsOfPlane); row < member.to(rowsOfPlane); row++) {
            alongRows(work.inZ, real, imaginary, rowInSpectrum(row, 0), stepInZ(), depth, false);
        }
        member.barrier();
    }

    /** From the spectrum to space, in place; nothing is divided. */
    public void inverse(Team.Member member, Workspace work, double[][] real, double[][] imaginary) {
        for (int row = member.from(rowsOfPlane); row < member.to(rowsOfPlane); row++) {
            alongRows(work.inZ, real, imaginary, rowInSpectrum(row, 0), stepInZ(), depth, true);
        }
        if (parts > 1) {
            packRows(member, real, imaginary);
            member.once(this::exchange);
            unpackPlanes(member, real, imaginary);
        }
        member.barrier();
        for (int plane = member.from(planes); plane < member.to(planes); plane++) {
            alongRows(work.inY, real, imaginary, plane * height, 1, height, true);
            alongX(work.inX, real, imaginary, plane * height, true);
        }
        member.barrier();
    }

    private int stepInZ() {
        return parts == 1 ? height : 1;
    }

    /** Lines that go from row to row, at the same place of each. */
    private void alongRows(
            LineTransform lines, double[][] real, double[][] imaginary, int first, int step, int count, boolean back) {
        for (int x = 0; x < width; x += BATCH) {
            int batch = Math.min(BATCH, width - x);
            double[][] workReal = lines.real();
            double[][] workImaginary = lines.imaginary();
            for (int element = 0; element < count; element++) {
                System.arraycopy(real[first + element * step], x, workReal[element], 0, batch);
                System.arraycopy(imaginary[first + element * step], x, workImaginary[element], 0, batch);
            }
            transform(lines, batch, back);
            workReal = lines.real();
            workImaginary = lines.imaginary();
            for (int element = 0; element < count; element++) {
                System.arraycopy(workReal[element], 0, real[first + element * step], x, batch);
                System.arraycopy(workImaginary[element], 0, imaginary[first + element * step], x, batch);
            }
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

    private void packPlanes(Team.Member member, double[][] real, double[][] imaginary) {
        for (int plane = member.from(planes); plane < member.to(planes); plane++) {
            for (int y = 0; y < height; y++) {
                put(real, imaginary, rowInSpace(y, plane), place(y / rowsOfPlane, plane, y % rowsOfPlane));
            }
        }
    }

    private void unpackRows(Team.Member member, double[][] real, double[][] imaginary) {
        for (int z = member.from(depth); z < member.to(depth); z++) {
            for (int row = 0; row < rowsOfPlane; row++) {
                get(real, imaginary, rowInSpectrum(row, z), place(z / planes, z % planes, row));
            }
        }
    }

    private void packRows(Team.Member member, double[][] real, double[][] imaginary) {
        member.barrier();
        for (int z = member.from(depth); z < member.to(depth); z++) {
            for (int row = 0; row < rowsOfPlane; row++) {
                put(real, imaginary, rowInSpectrum(row, z), place(z / planes, z % planes, row));
            }
        }
    }

    private void unpackPlanes(Team.Member member, double[][] real, double[][] imaginary) {
        for (int plane = member.from(planes); plane < member.to(planes); plane++) {
            for (int y = 0; y < height; y++) {
                get(real, imaginary, rowInSpace(y, plane), place(y / rowsOfPlane, plane, y % rowsOfPlane));
            }
        }
    }

    private void put(double[][] real, double[][] imaginary, int row, int place) {
        System.arraycopy(real[row], 0, outbound, place, width);
        System.arraycopy(imaginary[row], 0, outbound, place + width, width);
    }

    private void get(double[][] real, double[][] imaginary, int row, int place) {
        System.arraycopy(inbound, place, real[row], 0, width);
        System.arraycopy(inbound, place + width, imaginary[row], 0, width);
    }

    private void exchange() {
        int count = outbound.length / parts;
        ranks.Alltoall(outbound, 0, count, MPI.DOUBLE, inbound, 0, count, MPI.DOUBLE);
    }
}
