package org.galerna.applications.lu;

import java.util.Objects;
import mpi.Intracomm;
import mpi.MPI;

/**
 * A dense random system {@code A x = b}, its factors, and its solution. The matrix, with b as its last column, is dealt out
 * in blocks in both directions. The factorization is the right-looking one with partial pivoting: a panel of columns is
 * factorized by one grid column and sent along the rows of the grid; rows are exchanged; the block row is solved and sent
 * along the columns; and the rest is updated. Each local row is an array of its own, so that the update, which is nearly
 * all of the work, becomes vector code.
 */
final class Factorization {
    private static final int TAG = 7;
    /** Columns that are updated at once: those of a block row stay in the second cache. */
    private static final int STRIP = 512;

    private final Intracomm ranks;
    private final Intracomm inRow;
    private final Intracomm inColumn;
    private final int order;
    private final int block;
    private final BlockCyclic rows;
    private final BlockCyclic columns;
    private final int localRows;
    private final int localColumns;
    private final double[][] matrix;
    private final double[] panel;
    private final int[] pivots;

    /** A new random system on a grid of ranks. */
    Factorization(Intracomm ranks, int order, int block, int gridRows, int gridColumns) {
        this.ranks = ranks;
        this.order = order;
        this.block = Math.min(block, order);
        this.rows = new BlockCyclic(this.block, gridRows, ranks.Rank() / gridColumns);
        this.columns = new BlockCyclic(this.block, gridColumns, ranks.Rank() % gridColumns);
        this.inRow = Objects.requireNonNull(ranks.Split(rows.part(), columns.part()));
        this.inColumn = Objects.requireNonNull(ranks.Split(columns.part(), rows.part()));
        this.localRows = rows.countBelow(order);
        this.localColumns = columns.countBelow(order + 1);
        this.matrix = new double[localRows][localColumns];
        this.panel = new double[Math.multiplyExact(localRows, this.block)];
        this.pivots = new int[this.block];
        fill();
    }

    /** The system as it was in the beginning. */
    void fill() {
        for (int row = 0; row < localRows; row++) {
            for (int column = 0; column < localColumns; column++) {
                matrix[row][column] = element(rows.global(row), columns.global(column));
            }
        }
    }

    /** The same number for the same place, whoever asks: a mixed counter. */
    private double element(int row, int column) {
        long mixed = ((long) row * (order + 1) + column + 1) * 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ mixed >>> 30) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
        return ((mixed ^ mixed >>> 31) >>> 11) * 0x1p-53 - 0.5;
    }

    /** Factorizes, and solves with the lower factor for b. */
    void factorize() {
        for (int first = 0; first < order; first += block) {
            int width = Math.min(block, order - first);
            int ownerColumn = columns.owner(first);
            if (columns.part() == ownerColumn) {
                factorizePanel(first, width);
            }
            sharePanel(first, width, ownerColumn);
            exchangeRows(first, width, ownerColumn);
            update(first, width);
        }
    }

    private void factorizePanel(int first, int width) {
        int firstColumn = columns.local(first);
        double[] candidate = new double[2];
        double[] candidates = new double[2 * rows.parts()];
        double[] pivotRow = new double[width];
        double[] diagonalRow = new double[width];
        for (int step = 0; step < width; step++) {
            int row = first + step;
            int column = firstColumn + step;
            int begin = rows.countBelow(row);
            candidate[0] = -1;
            for (int local = begin; local < localRows; local++) {
                double size = Math.abs(matrix[local][column]);
                if (size > candidate[0]) {
                    candidate[0] = size;
                    candidate[1] = rows.global(local);
                }
            }
            inColumn.Allgather(candidate, 0, 2, MPI.DOUBLE, candidates, 0, 2, MPI.DOUBLE);
            int best = 0;
            for (int part = 1; part < rows.parts(); part++) {
                if (candidates[2 * part] > candidates[2 * best]) {
                    best = part;
                }
            }
            int pivot = (int) candidates[2 * best + 1];
            pivots[step] = pivot;
            takeRow(pivot, firstColumn, width, pivotRow);
            takeRow(row, firstColumn, width, diagonalRow);
            putRow(pivot, firstColumn, width, diagonalRow);
            putRow(row, firstColumn, width, pivotRow);
            double inverse = 1.0 / pivotRow[step];
            for (int local = rows.countBelow(row + 1); local < localRows; local++) {
                double[] target = matrix[local];
                double factor = target[column] * inverse;
                target[column] = factor;
                for (int right = step + 1; right < width; right++) {
                    target[firstColumn + right] -= factor * pivotRow[right];
                }
            }
        }
    }

    /** All ranks of a grid column get the part of a row. */
    private void takeRow(int row, int firstColumn, int width, double[] target) {
        int owner = rows.owner(row);
        if (rows.part() == owner) {
            System.arraycopy(matrix[rows.local(row)], firstColumn, target, 0, width);
        }
        inColumn.Bcast(target, 0, width, MPI.DOUBLE, owner);
    }

    private void putRow(int row, int firstColumn, int width, double[] source) {
        if (rows.part() == rows.owner(row)) {
            System.arraycopy(source, 0, matrix[rows.local(row)], firstColumn, width);
        }
    }

    /** Sends the panel from its first row on, and its pivots, along the rows of the grid. */
    private void sharePanel(int first, int width, int ownerColumn) {
        int begin = rows.countBelow(first);
        if (columns.part() == ownerColumn) {
            int firstColumn = columns.local(first);
            for (int local = begin; local < localRows; local++) {
                System.arraycopy(matrix[local], firstColumn, panel, (local - begin) * width, width);
            }
        }
        inRow.Bcast(pivots, 0, width, MPI.INT, ownerColumn);
        inRow.Bcast(panel, 0, (localRows - begin) * width, MPI.DOUBLE, ownerColumn);
    }

    /** Exchanges rows to the right of the panel; those to the left are not needed any more. */
    private void exchangeRows(int first, int width, int ownerColumn) {
        int begin = columns.part() == ownerColumn ? columns.local(first) + width : columns.countBelow(first + width);
        int count = localColumns - begin;
        if (count <= 0) {
            return;
        }
        for (int step = 0; step < width; step++) {
            int one = first + step;
            int two = pivots[step];
            int ownerOfOne = rows.owner(one);
            int ownerOfTwo = rows.owner(two);
            if (one == two || (rows.part() != ownerOfOne && rows.part() != ownerOfTwo)) {
                continue;
            }
            if (ownerOfOne == ownerOfTwo) {
                double[] a = matrix[rows.local(one)];
                double[] b = matrix[rows.local(two)];
                for (int column = begin; column < localColumns; column++) {
                    double swap = a[column];
                    a[column] = b[column];
                    b[column] = swap;
                }
            } else {
                int other = rows.part() == ownerOfOne ? ownerOfTwo : ownerOfOne;
                double[] row = matrix[rows.local(rows.part() == ownerOfOne ? one : two)];
                inColumn.Sendrecv_replace(row, begin, count, MPI.DOUBLE, other, TAG, other, TAG);
            }
        }
    }

    private void update(int first, int width) {
        int begin = columns.countBelow(first + width);
        int count = localColumns - begin;
        int ownerRow = rows.owner(first);
        int panelBegin = rows.countBelow(first);
        double[] above = new double[width * Math.max(0, count)];
        if (rows.part() == ownerRow) {
            solveBlockRow(rows.local(first), width, begin);
            for (int row = 0; row < width; row++) {
                System.arraycopy(matrix[rows.local(first) + row], begin, above, row * count, count);
            }
        }
        if (count <= 0) {
            return;
        }
        inColumn.Bcast(above, 0, above.length, MPI.DOUBLE, ownerRow);
        double[][] upper = new double[width][STRIP];
        double[] work = new double[STRIP];
        int below = rows.countBelow(first + width);
        for (int strip = 0; strip < count; strip += STRIP) {
            int length = Math.min(STRIP, count - strip);
            for (int row = 0; row < width; row++) {
                System.arraycopy(above, row * count + strip, upper[row], 0, length);
            }
            for (int local = below; local < localRows; local++) {
                System.arraycopy(matrix[local], begin + strip, work, 0, length);
                subtract(work, upper, panel, (local - panelBegin) * width, width, length);
                System.arraycopy(work, 0, matrix[local], begin + strip, length);
            }
        }
    }

    /** The triangle of the panel is solved for the rows beside it. */
    private void solveBlockRow(int firstRow, int width, int begin) {
        for (int row = 1; row < width; row++) {
            double[] target = matrix[firstRow + row];
            for (int before = 0; before < row; before++) {
                subtractRow(target, matrix[firstRow + before], panel[row * width + before], begin, localColumns);
            }
        }
    }

    private static void subtractRow(double[] target, double[] source, double factor, int from, int to) {
        for (int column = from; column < to; column++) {
            target[column] -= factor * source[column];
        }
    }

    /** Four rows at once: the target is read and written a quarter as often. */
    private static void subtract(
            double[] target, double[][] upper, double[] factors, int place, int width, int length) {
        int row = 0;
        for (; row < width - 3; row += 4) {
            subtractFour(
                    target,
                    upper[row],
                    upper[row + 1],
                    upper[row + 2],
                    upper[row + 3],
                    factors[place + row],
                    factors[place + row + 1],
                    factors[place + row + 2],
                    factors[place + row + 3],
                    length);
        }
        for (; row < width; row++) {
            subtractRow(target, upper[row], factors[place + row], 0, length);
        }
    }

    private static void subtractFour(
            double[] target,
            double[] row0,
            double[] row1,
            double[] row2,
            double[] row3,
            double factor0,
            double factor1,
            double factor2,
            double factor3,
            int length) {
        for (int column = 0; column < length; column++) {
            target[column] -=
                    factor0 * row0[column] + factor1 * row1[column] + factor2 * row2[column] + factor3 * row3[column];
        }
    }

    /** Solves with the upper factor; every rank gets the whole solution. */
    double[] solve() {
        double[] solution = new double[order];
        int last = columns.owner(order);
        int lastColumn = columns.local(order);
        double[] side = new double[localRows];
        if (columns.part() == last) {
            for (int local = 0; local < localRows; local++) {
                side[local] = matrix[local][lastColumn];
            }
        }
        for (int first = (order - 1) / block * block; first >= 0; first -= block) {
            int width = Math.min(block, order - first);
            int ownerRow = rows.owner(first);
            int ownerColumn = columns.owner(first);
            double[] part = new double[width];
            if (rows.part() == ownerRow) {
                if (columns.part() == last) {
                    System.arraycopy(side, rows.local(first), part, 0, width);
                }
                inRow.Bcast(part, 0, width, MPI.DOUBLE, last);
            }
            if (rows.part() == ownerRow && columns.part() == ownerColumn) {
                solveTriangle(rows.local(first), columns.local(first), part);
            }
            ranks.Bcast(part, 0, width, MPI.DOUBLE, ownerRow * columns.parts() + ownerColumn);
            System.arraycopy(part, 0, solution, first, width);
            subtractColumn(first, width, part, side, last, ownerColumn);
        }
        return solution;
    }

    private void solveTriangle(int firstRow, int firstColumn, double[] part) {
        for (int row = part.length - 1; row >= 0; row--) {
            double[] factors = matrix[firstRow + row];
            double sum = part[row];
            for (int column = row + 1; column < part.length; column++) {
                sum -= factors[firstColumn + column] * part[column];
            }
            part[row] = sum / factors[firstColumn + row];
        }
    }

    /** Takes what is known to the right side of the rows above. */
    private void subtractColumn(int first, int width, double[] part, double[] side, int last, int ownerColumn) {
        int above = rows.countBelow(first);
        if (above == 0 || (columns.part() != last && columns.part() != ownerColumn)) {
            return;
        }
        double[] sums = new double[above];
        if (columns.part() == ownerColumn) {
            int firstColumn = columns.local(first);
            for (int local = 0; local < above; local++) {
                double sum = 0;
                for (int column = 0; column < width; column++) {
                    sum += matrix[local][firstColumn + column] * part[column];
                }
                sums[local] = sum;
            }
            if (ownerColumn != last) {
                inRow.Send(sums, 0, above, MPI.DOUBLE, last, TAG);
                return;
            }
        } else {
            inRow.Recv(sums, 0, above, MPI.DOUBLE, ownerColumn, TAG);
        }
        for (int local = 0; local < above; local++) {
            side[local] -= sums[local];
        }
    }

    /** {@code |Ax - b| / (eps (|A| |x| + |b|) n)} in the maximum norm, as HPL has it. */
    double residual(double[] solution) {
        double[] here = new double[2 * localRows];
        for (int row = 0; row < localRows; row++) {
            for (int column = 0; column < localColumns; column++) {
                int place = columns.global(column);
                double element = element(rows.global(row), place);
                here[2 * row] += place == order ? -element : element * solution[place];
                here[2 * row + 1] += place == order ? 0 : Math.abs(element);
            }
        }
        double[] total = new double[here.length];
        inRow.Allreduce(here, 0, total, 0, here.length, MPI.DOUBLE, MPI.SUM);
        double[] norms = new double[2];
        for (int row = 0; row < localRows; row++) {
            norms[0] = Math.max(norms[0], Math.abs(total[2 * row]));
            norms[1] = Math.max(norms[1], total[2 * row + 1]);
        }
        double[] largest = new double[2];
        ranks.Allreduce(norms, 0, largest, 0, 2, MPI.DOUBLE, MPI.MAX);
        double normOfSolution = 0;
        double normOfSide = 0;
        for (int row = 0; row < order; row++) {
            normOfSolution = Math.max(normOfSolution, Math.abs(solution[row]));
            normOfSide = Math.max(normOfSide, Math.abs(element(row, order)));
        }
        double scale = Math.ulp(1.0) * (largest[1] * normOfSolution + normOfSide) * order;
        return largest[0] / scale;
    }
}
