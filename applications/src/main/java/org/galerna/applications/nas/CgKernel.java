package org.galerna.applications.nas;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import mpi.Intracomm;
import mpi.MPI;
import org.galerna.applications.team.Team;

/**
 * CG, "conjugate gradient": the smallest eigenvalue of a random sparse matrix by inverse iteration, each step solved by
 * 25 steps of conjugate gradients.
 *
 * <p><b>Decomposition.</b> Ranks are a grid of {@code rows} by {@code columns}, and a vector is cut into as many pieces as
 * there are ranks. The rank in row i and column j has piece {@code i * columns + j}. Its part of the matrix has the rows
 * of all pieces of grid row i, and the columns of all pieces of grid column j. To multiply, the pieces of a grid column
 * are gathered, and the products of a grid row are added and scattered; then each rank has its own piece of the product,
 * and nothing has to be transposed.
 */
final class CgKernel implements Kernel {
    private static final int INNER_STEPS = 25;
    private static final double TOLERANCE = 1e-10;

    private record Problem(int order, int nonzeros, int iterations, double shift, double zeta) {
        static Problem of(ProblemClass size) {
            return switch (size) {
                case S -> new Problem(1400, 7, 15, 10, 8.5971775078648);
                case W -> new Problem(7000, 8, 15, 12, 10.362595087124);
                case A -> new Problem(14000, 11, 15, 20, 17.130235054029);
                case B -> new Problem(75000, 13, 75, 60, 22.712745482631);
                case C -> new Problem(150000, 15, 75, 110, 28.973605592845);
                case D -> new Problem(1500000, 21, 100, 500, 52.514532105794);
            };
        }

        double operations() {
            double each = nonzeros * (nonzeros + 1.0);
            return 2.0 * iterations * order * (3.0 + each + INNER_STEPS * (5.0 + each) + 3.0);
        }
    }

    @Override
    public void check(ProblemClass size, int ranks) {
        int order = Problem.of(size).order;
        if (ranks > order) {
            throw new NasException("CG of class " + size + " has " + order + " rows, too few for " + ranks + " ranks");
        }
    }

    @Override
    public KernelResult run(Intracomm ranks, ProblemClass size, int threads, double warmUpSeconds) {
        Problem problem = Problem.of(size);
        Solver solver = new Solver(ranks, problem);
        double[] result = new double[2];
        Team.run(ranks, threads, member -> {
            member.warmUp(warmUpSeconds, () -> solver.iterate(member, 1));
            member.once(ranks::Barrier);
            double start = System.nanoTime() * 1e-9;
            double zeta = solver.iterate(member, problem.iterations);
            if (member.isFirst()) {
                result[0] = System.nanoTime() * 1e-9 - start;
                result[1] = zeta;
            }
        });
        double error = Math.abs(result[1] - problem.zeta) / problem.zeta;
        return new KernelResult(
                "CG",
                Integer.toString(problem.order),
                problem.iterations,
                "floating point",
                result[0],
                problem.operations(),
                error <= TOLERANCE,
                List.of(
                        String.format(Locale.ROOT, "Zeta  = %.13e", result[1]),
                        String.format(Locale.ROOT, "Error = %.13e", error)));
    }

    /** What one rank has; its threads share it. */
    private static final class Solver implements CgMatrix.Part {
        private final Problem problem;
        private final int gridRows;
        private final int gridColumns;
        private final int gridRow;
        private final int gridColumn;
        private final int piece;
        private final int ownRows;
        private final Intracomm inRow;
        private final Intracomm inColumn;
        private final int[] counts;
        private final CgMatrix matrix;
        private final double[] x;
        private final double[] z;
        private final double[] p;
        private final double[] r;
        private final double[] product;
        private final double[] gathered;
        private final double[] partial;

        Solver(Intracomm ranks, Problem problem) {
            this.problem = problem;
            int size = ranks.Size();
            int columns = (int) Math.sqrt(size);
            while (size % columns != 0) {
                columns--;
            }
            this.gridColumns = columns;
            this.gridRows = size / columns;
            this.gridRow = ranks.Rank() / columns;
            this.gridColumn = ranks.Rank() % columns;
            this.inRow = Objects.requireNonNull(ranks.Split(gridRow, gridColumn));
            this.inColumn = Objects.requireNonNull(ranks.Split(gridColumn, gridRow));
            this.piece = (problem.order + size - 1) / size;
            this.ownRows = Math.max(0, Math.min(piece, problem.order - ranks.Rank() * piece));
            this.counts = new int[columns];
            Arrays.fill(counts, piece);
            this.x = new double[piece];
            this.z = new double[piece];
            this.p = new double[piece];
            this.r = new double[piece];
            this.product = new double[piece];
            this.gathered = gridRows == 1 ? new double[0] : new double[width()];
            this.partial = gridColumns == 1 ? product : new double[rows()];
            this.matrix = CgMatrix.create(problem.order, problem.nonzeros, problem.shift, this);
        }

        @Override
        public int firstRow() {
            return gridRow * gridColumns * piece;
        }

        @Override
        public int rows() {
            return gridColumns * piece;
        }

        @Override
        public int width() {
            return gridRows * piece;
        }

        @Override
        public int place(int column) {
            int number = column / piece;
            return number % gridColumns == gridColumn ? number / gridColumns * piece + column % piece : -1;
        }

        /** The inverse iteration from the vector of ones; returns the last estimate of the eigenvalue. */
        double iterate(Team.Member member, int iterations) {
            int from = member.from(ownRows);
            int to = member.to(ownRows);
            Arrays.fill(x, from, to, 1.0);
            member.barrier();
            double zeta = 0;
            for (int iteration = 0; iteration < iterations; iteration++) {
                solve(member, from, to);
                double xz = member.sum(dot(x, z, from, to));
                double zz = member.sum(dot(z, z, from, to));
                zeta = problem.shift + 1.0 / xz;
                scale(x, z, 1.0 / Math.sqrt(zz), from, to);
            }
            return zeta;
        }

        /** Conjugate gradients for {@code A z = x}. */
        private void solve(Team.Member member, int from, int to) {
            Arrays.fill(z, from, to, 0.0);
            System.arraycopy(x, from, r, from, to - from);
            System.arraycopy(x, from, p, from, to - from);
            double rho = member.sum(dot(r, r, from, to));
            for (int step = 0; step < INNER_STEPS; step++) {
                multiply(member);
                double alpha = rho / member.sum(dot(p, product, from, to));
                advance(z, r, p, product, alpha, from, to);
                double before = rho;
                rho = member.sum(dot(r, r, from, to));
                turn(p, r, rho / before, from, to);
            }
        }

        private void multiply(Team.Member member) {
            if (gridRows > 1) {
                member.once(() -> inColumn.Allgather(p, 0, piece, MPI.DOUBLE, gathered, 0, piece, MPI.DOUBLE));
            } else {
                member.barrier();
            }
            double[] vector = gridRows > 1 ? gathered : p;
            matrix.multiply(vector, partial, member.from(rows()), member.to(rows()));
            if (gridColumns > 1) {
                member.once(() -> inRow.Reduce_scatter(partial, 0, product, 0, counts, MPI.DOUBLE, MPI.SUM));
            } else {
                member.barrier();
            }
        }

        private static double dot(double[] a, double[] b, int from, int to) {
            double sum0 = 0;
            double sum1 = 0;
            double sum2 = 0;
            double sum3 = 0;
            int index = from;
            for (; index < to - 3; index += 4) {
                sum0 += a[index] * b[index];
                sum1 += a[index + 1] * b[index + 1];
                sum2 += a[index + 2] * b[index + 2];
                sum3 += a[index + 3] * b[index + 3];
            }
            for (; index < to; index++) {
                sum0 += a[index] * b[index];
            }
            return (sum0 + sum1) + (sum2 + sum3);
        }

        private static void advance(double[] z, double[] r, double[] p, double[] q, double alpha, int from, int to) {
            for (int index = from; index < to; index++) {
                z[index] += alpha * p[index];
            }
            for (int index = from; index < to; index++) {
                r[index] -= alpha * q[index];
            }
        }

        private static void turn(double[] p, double[] r, double beta, int from, int to) {
            for (int index = from; index < to; index++) {
                p[index] = r[index] + beta * p[index];
            }
        }

        private static void scale(double[] x, double[] z, double factor, int from, int to) {
            for (int index = from; index < to; index++) {
                x[index] = factor * z[index];
            }
        }
    }
}
