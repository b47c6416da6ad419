package org.galerna.applications.lu;

import java.util.Arrays;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Request;
import org.jspecify.annotations.Nullable;

/**
 * Columns that one grid column factorizes, with their pivots, and their way along the rows of the grid: from each rank to the next
 * one, while ranks update. One object is used for many panels, one after the other. Not thread-safe.
 */
final class Panel {
    private static final int TAG = 8;

    private final Intracomm inRow;
    private final Intracomm inColumn;
    private final BlockCyclic rows;
    private final int localRows;
    private final int most;
    /** The pivots, and then the rows, one after the other. */
    private final double[] values;

    private int first;
    private int width;
    private int begin;
    private int owner;
    private @Nullable Request inbound;
    private @Nullable Request outbound;

    /**
     * Room for panels.
     *
     * @param most columns
     */
    Panel(Intracomm inRow, Intracomm inColumn, BlockCyclic rows, int localRows, int most) {
        this.inRow = inRow;
        this.inColumn = inColumn;
        this.rows = rows;
        this.localRows = localRows;
        this.most = most;
        this.values = new double[Math.multiplyExact(localRows + 1, most)];
    }

    /** The first column, and the first row. */
    int first() {
        return first;
    }

    /** Number of columns. */
    int width() {
        return width;
    }

    /** The row that changes places with the one of this step. */
    int pivot(int step) {
        return (int) values[step];
    }

    /** The rows; see {@link #place}. */
    double[] values() {
        return values;
    }

    /** Where a local row begins in the values. */
    int place(int local) {
        return most + (local - begin) * width;
    }

    /** These columns come next, once the panel before has left. */
    void start(int newFirst, int newWidth) {
        leave();
        first = newFirst;
        width = newWidth;
        begin = rows.countBelow(first);
    }

    // ---- on its way

    /**
     * Sends the panel on if this rank has factorized it, and otherwise begins to wait for it.
     *
     * @param newOwner grid column that has factorized it
     */
    void share(int newOwner) {
        owner = newOwner;
        if (inRow.Rank() == owner) {
            sendOn();
        } else {
            int before = (inRow.Rank() + inRow.Size() - 1) % inRow.Size();
            inbound = inRow.Irecv(values, 0, length(), MPI.DOUBLE, before, TAG);
        }
    }

    private int length() {
        return most + (localRows - begin) * width;
    }

    private void sendOn() {
        int next = (inRow.Rank() + 1) % inRow.Size();
        if (next != owner) {
            outbound = inRow.Isend(values, 0, length(), MPI.DOUBLE, next, TAG);
        }
    }

    /** Sends the panel on if it has come. */
    void progress() {
        if (inbound != null) {
            if (inbound.Test() != null) {
                inbound = null;
                sendOn();
            }
        } else if (outbound != null && outbound.Test() != null) {
            outbound = null;
        }
    }

    /** Waits until the panel has come, and sends it on. */
    void await() {
        if (inbound != null) {
            inbound.Wait();
            inbound = null;
            sendOn();
        }
    }

    /** Waits until the panel has been sent on. */
    void leave() {
        if (outbound != null) {
            outbound.Wait();
            outbound = null;
        }
    }

    // ---- factorized

    /** Takes the columns out of the matrix, factorizes them, and brings the upper factor back. */
    void factorize(double[][] matrix, int column) {
        for (int local = begin; local < localRows; local++) {
            System.arraycopy(matrix[local], column, values, place(local), width);
        }
        double[] candidate = new double[2];
        double[] candidates = new double[2 * rows.parts()];
        double[] pivotRow = new double[width];
        double[] diagonalRow = new double[width];
        for (int step = 0; step < width; step++) {
            int row = first + step;
            findLargest(step, rows.countBelow(row), candidate);
            inColumn.Allgather(candidate, 0, 2, MPI.DOUBLE, candidates, 0, 2, MPI.DOUBLE);
            int best = 0;
            for (int part = 1; part < rows.parts(); part++) {
                if (candidates[2 * part] > candidates[2 * best]) {
                    best = part;
                }
            }
            int pivot = (int) candidates[2 * best + 1];
            values[step] = pivot;
            takeRow(pivot, pivotRow);
            takeRow(row, diagonalRow);
            putRow(pivot, diagonalRow);
            putRow(row, pivotRow);
            eliminate(step, rows.countBelow(row + 1), pivotRow);
        }
        for (int row = first; row < first + width; row++) {
            if (rows.part() == rows.owner(row)) {
                int local = rows.local(row);
                System.arraycopy(values, place(local), matrix[local], column, width);
            }
        }
    }

    private void findLargest(int step, int from, double[] candidate) {
        candidate[0] = -1;
        for (int local = from; local < localRows; local++) {
            double size = Math.abs(values[place(local) + step]);
            if (size > candidate[0]) {
                candidate[0] = size;
                candidate[1] = rows.global(local);
            }
        }
    }

    /** All ranks of a grid column get a row. */
    private void takeRow(int row, double[] target) {
        int owner = rows.owner(row);
        if (rows.part() == owner) {
            System.arraycopy(values, place(rows.local(row)), target, 0, width);
        }
        inColumn.Bcast(target, 0, width, MPI.DOUBLE, owner);
    }

    private void putRow(int row, double[] source) {
        if (rows.part() == rows.owner(row)) {
            System.arraycopy(source, 0, values, place(rows.local(row)), width);
        }
    }

    private void eliminate(int step, int from, double[] pivotRow) {
        double inverse = 1.0 / pivotRow[step];
        double[] work = new double[width];
        Arrays.fill(pivotRow, 0, step + 1, 0);
        for (int local = from; local < localRows; local++) {
            int place = place(local);
            System.arraycopy(values, place, work, 0, width);
            double factor = work[step] * inverse;
            for (int column = 0; column < width; column++) {
                work[column] -= factor * pivotRow[column];
            }
            work[step] = factor;
            System.arraycopy(work, 0, values, place, width);
        }
    }
}
