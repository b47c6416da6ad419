package org.galerna.applications.lu;

import java.util.Objects;
import mpi.Intracomm;
import mpi.MPI;

/**
 * A dense random system {@code A x = b}, its factors, and its solution. The matrix, with b as its last column, is dealt out
 * in blocks in both directions. The factorization is the right-looking one with partial pivoting, and looks one panel ahead, as that
 * of High-Performance Linpack does: a panel of columns is factorized by one grid column and sent along the rows of the grid; rows are
 * exchanged; the block row is solved and sent along the columns; and the rest is updated. Each local row is an array of its own, so
 * that the update, which is nearly all of the work, becomes vector code.
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

    /**
     * Factorizes, and solves with the lower factor for b. The owners of the next panel factorize it before they go on with the
     * update by this one, so that it is on its way while ranks update.
     */
    void factorize() {
        Panel panel = newPanel();
        Panel next = newPanel();
        panel.start(0, block);
        if (columns.part() == columns.owner(0)) {
            panel.factorize(matrix, 0);
        }
        panel.share(columns.owner(0));
        boolean more = true;
        while (more) {
            panel.await();
            int right = panel.first() + panel.width();
            int begin = columns.countBelow(right);
            exchangeRows(panel, begin);
            double[] above = shareBlockRow(panel, begin);
            int from = begin;
            more = right < order;
            if (more) {
                next.start(right, Math.min(block, order - right));
                if (columns.part() == columns.owner(right)) {
                    from = begin + next.width();
                    update(panel, above, begin, begin, from, next);
                    next.factorize(matrix, begin);
                }
                next.share(columns.owner(right));
            }
            update(panel, above, begin, from, localColumns, next);
            Panel done = panel;
            panel = next;
            next = done;
        }
        panel.leave();
        next.leave();
    }

    private Panel newPanel() {
        return new Panel(inRow, inColumn, rows, localRows, block);
    }

    /** Exchanges rows to the right of the panel; those to the left are not needed any more. */
    private void exchangeRows(Panel panel, int begin) {
        int count = localColumns - begin;
        if (count <= 0) {
            return;
        }
        for (int step = 0; step < panel.width(); step++) {
            int one = panel.first() + step;
            int two = panel.pivot(step);
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

    /** Solves the rows beside the panel, which one grid row has, and sends them along the grid columns. */
    private double[] shareBlockRow(Panel panel, int begin) {
        int count = localColumns - begin;
        int width = panel.width();
        double[] above = new double[width * count];
        int owner = rows.owner(panel.first());
        if (rows.part() == owner) {
            int firstRow = rows.local(panel.first());
            for (int row = 0; row < width; row++) {
                double[] target = matrix[firstRow + row];
                for (int before = 0; before < row; before++) {
                    double factor = panel.values()[panel.place(firstRow + row) + before];
                    RowUpdate.subtract(target, matrix[firstRow + before], factor, begin, localColumns);
                }
                System.arraycopy(target, begin, above, row * count, count);
            }
        }
        if (count > 0) {
            inColumn.Bcast(above, 0, above.length, MPI.DOUBLE, owner);
        }
        return above;
    }

    /**
     * Updates columns below the block row.
     *
     * @param above the block row, from the column {@code begin} on
     * @param onTheWay a panel that is sent on meanwhile
     */
    private void update(Panel panel, double[] above, int begin, int from, int to, Panel onTheWay) {
        int count = localColumns - begin;
        int width = panel.width();
        int below = rows.countBelow(panel.first() + width);
        double[][] upper = new double[width][STRIP];
        double[][] work = new double[2][STRIP];
        for (int strip = from; strip < to; strip += STRIP) {
            int length = Math.min(STRIP, to - strip);
            for (int row = 0; row < width; row++) {
                System.arraycopy(above, row * count + strip - begin, upper[row], 0, length);
            }
            for (int local = below; local < localRows; local += 2) {
                double[] one = matrix[local];
                double[] two = matrix[Math.min(local + 1, localRows - 1)]; // the last one may be alone
                System.arraycopy(one, strip, work[0], 0, length);
                System.arraycopy(two, strip, work[1], 0, length);
                int place = panel.place(local);
                RowUpdate.subtract(
                        work[0],
                        work[1],
                        upper,
                        panel.values(),
                        place,
                        place + (two == one ? 0 : width),
                        width,
                        length);
                System.arraycopy(work[0], 0, one, strip, length);
                System.arraycopy(work[1], 0, two, strip, length);
            }
            onTheWay.progress();
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
