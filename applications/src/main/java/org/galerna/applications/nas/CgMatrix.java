package org.galerna.applications.nas;

import java.util.Arrays;

/**
 * The part of the random sparse symmetric matrix that one rank has, in compressed rows: {@code A = sum_i w_i x_i x_i^T}
 * plus a shift of the diagonal, with sparse random vectors {@code x_i} and weights {@code w_i} that fall geometrically.
 */
final class CgMatrix {
    private static final double CONDITION = 0.1;
    private static final double DIAGONAL_ELEMENT = 0.5;

    // where each row starts in the other arrays, and the end
    private final int[] rowStart;
    private final int[] columns;
    private final double[] values;

    private CgMatrix(int[] rowStart, int[] columns, double[] values) {
        this.rowStart = rowStart;
        this.columns = columns;
        this.values = values;
    }

    /** Which part of the matrix a rank has. */
    interface Part {
        /** The first of the rows. */
        int firstRow();

        /** Number of rows; those beyond the matrix are empty. */
        int rows();

        /** The place of a column in the part; negative if it is not there. */
        int place(int column);

        /** Number of columns of the part. */
        int width();
    }

    /** All nonzero elements of the vectors {@code x_i}. */
    private static final class SparseVectors {
        private final int[] counts;
        private final int[] places;
        private final double[] elements;
        private final int stride;

        SparseVectors(int order, int nonzeros) {
            this.stride = nonzeros + 1;
            this.counts = new int[order];
            this.places = new int[Math.multiplyExact(order, stride)];
            this.elements = new double[order * stride];
            NasRandom random = new NasRandom(NasRandom.SEED);
            random.next(); // the specification's program draws one number before
            int range = Integer.highestOneBit(order - 1) << 1;
            for (int vector = 0; vector < order; vector++) {
                create(random, vector, order, nonzeros, range);
            }
        }

        private void create(NasRandom random, int vector, int order, int nonzeros, int range) {
            int start = vector * stride;
            int count = 0;
            while (count < nonzeros) {
                double element = random.next();
                int place = (int) (range * random.next());
                if (place < order && indexOf(start, count, place) < 0) {
                    places[start + count] = place;
                    elements[start + count] = element;
                    count++;
                }
            }
            int diagonal = indexOf(start, count, vector);
            if (diagonal < 0) {
                diagonal = start + count++;
                places[diagonal] = vector;
            }
            elements[diagonal] = DIAGONAL_ELEMENT;
            counts[vector] = count;
        }

        private int indexOf(int start, int count, int place) {
            for (int index = start; index < start + count; index++) {
                if (places[index] == place) {
                    return index;
                }
            }
            return -1;
        }
    }

    /** Computes a part of the matrix of that order. */
    static CgMatrix create(int order, int nonzeros, double shift, Part part) {
        SparseVectors vectors = new SparseVectors(order, nonzeros);
        int firstRow = part.firstRow();
        int endRow = Math.min(order, firstRow + part.rows());
        int[] users = users(vectors, order, firstRow, endRow);
        double ratio = Math.pow(CONDITION, 1.0 / order);
        double[] weights = new double[order];
        double weight = 1.0;
        for (int vector = 0; vector < order; vector++) {
            weights[vector] = weight;
            weight *= ratio;
        }
        int[] rowStart = new int[part.rows() + 1];
        int[] columns = new int[1 << 16];
        double[] values = new double[1 << 16];
        double[] sums = new double[part.width()];
        int[] lastRow = new int[part.width()];
        Arrays.fill(lastRow, -1);
        int[] touched = new int[part.width()];
        int used = 0;
        int next = 0;
        for (int row = firstRow; row < endRow; row++) {
            int count = 0;
            for (; next < users.length && rowOf(vectors, users[next]) == row; next++) {
                int element = users[next];
                int vector = element / vectors.stride;
                double scale = weights[vector] * vectors.elements[element];
                int start = vector * vectors.stride;
                for (int other = start; other < start + vectors.counts[vector]; other++) {
                    int column = vectors.places[other];
                    int place = part.place(column);
                    if (place < 0) {
                        continue;
                    }
                    if (lastRow[place] != row) {
                        lastRow[place] = row;
                        sums[place] = 0;
                        touched[count++] = place;
                    }
                    double value = vectors.elements[other] * scale;
                    sums[place] += column == row && vector == row ? value + (CONDITION - shift) : value;
                }
            }
            Arrays.sort(touched, 0, count);
            if (used + count > columns.length) {
                int length = (int) Math.min(Integer.MAX_VALUE - 16, Math.max(2L * columns.length, used + (long) count));
                columns = Arrays.copyOf(columns, length);
                values = Arrays.copyOf(values, length);
            }
            for (int index = 0; index < count; index++) {
                columns[used] = touched[index];
                values[used++] = sums[touched[index]];
            }
            rowStart[row - firstRow + 1] = used;
        }
        Arrays.fill(rowStart, Math.max(0, endRow - firstRow) + 1, rowStart.length, used);
        return new CgMatrix(rowStart, Arrays.copyOf(columns, used), Arrays.copyOf(values, used));
    }

    private static int rowOf(SparseVectors vectors, int element) {
        return vectors.places[element];
    }

    /** The elements that lie in the rows, ordered by row and then by vector. */
    private static int[] users(SparseVectors vectors, int order, int firstRow, int endRow) {
        int rows = Math.max(0, endRow - firstRow);
        int[] starts = new int[rows + 1];
        for (int vector = 0; vector < order; vector++) {
            int start = vector * vectors.stride;
            for (int element = start; element < start + vectors.counts[vector]; element++) {
                int row = vectors.places[element] - firstRow;
                if (row >= 0 && row < rows) {
                    starts[row + 1]++;
                }
            }
        }
        for (int row = 0; row < rows; row++) {
            starts[row + 1] += starts[row];
        }
        int[] users = new int[starts[rows]];
        for (int vector = 0; vector < order; vector++) {
            int start = vector * vectors.stride;
            for (int element = start; element < start + vectors.counts[vector]; element++) {
                int row = vectors.places[element] - firstRow;
                if (row >= 0 && row < rows) {
                    users[starts[row]++] = element;
                }
            }
        }
        return users;
    }

    /** Multiplies rows with a vector. */
    void multiply(double[] vector, double[] product, int fromRow, int toRow) {
        int[] starts = rowStart;
        for (int row = fromRow; row < toRow; row++) {
            product[row] = rowTimes(columns, values, vector, starts[row], starts[row + 1]);
        }
    }

    /** Four sums side by side: one would wait for each addition. */
    private static double rowTimes(int[] columns, double[] values, double[] vector, int from, int to) {
        double sum0 = 0;
        double sum1 = 0;
        double sum2 = 0;
        double sum3 = 0;
        int index = from;
        for (; index < to - 3; index += 4) {
            sum0 += values[index] * vector[columns[index]];
            sum1 += values[index + 1] * vector[columns[index + 1]];
            sum2 += values[index + 2] * vector[columns[index + 2]];
            sum3 += values[index + 3] * vector[columns[index + 3]];
        }
        for (; index < to; index++) {
            sum0 += values[index] * vector[columns[index]];
        }
        return (sum0 + sum1) + (sum2 + sum3);
    }
}
