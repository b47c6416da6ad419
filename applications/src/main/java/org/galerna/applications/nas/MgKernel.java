package org.galerna.applications.nas;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import mpi.Intracomm;
import mpi.MPI;
import org.galerna.applications.team.Team;

/**
 * MG, "multigrid": V-cycles for the Poisson equation with periodic boundaries and twenty point charges.
 *
 * <p>Ranks cut the grid in z and y. A coarse grid that has fewer planes than there are ranks is gathered, and all ranks
 * do the rest of the cycle on the whole of it: it has a few thousand points at most, and messages would take longer.
 */
final class MgKernel implements Kernel {
    private static final double TOLERANCE = 1e-8;
    private static final int CHARGES = 10;

    /** Planes of a rank from which on rows stay whole in y, so that a plane can be used while it is in the cache. */
    private static final int THICK = 16;

    private record Problem(int level, int iterations, double norm) {
        static Problem of(ProblemClass size) {
            return switch (size) {
                case S -> new Problem(5, 4, 0.5307707005734e-04);
                case W -> new Problem(7, 4, 0.6467329375339e-05);
                case A -> new Problem(8, 4, 0.2433365309069e-05);
                case B -> new Problem(8, 20, 0.1800564401355e-05);
                case C -> new Problem(9, 20, 0.5706732285740e-06);
                case D -> new Problem(10, 50, 0.1583275060440e-09);
            };
        }

        int points() {
            return 1 << level;
        }
    }

    /** Coefficients of the smoother: at the point itself, at its faces, and at its edges. */
    private static double[] smoother(ProblemClass size) {
        return switch (size) {
            case S, W, A -> new double[] {-3.0 / 8.0, 1.0 / 32.0, -1.0 / 64.0};
            case B, C, D -> new double[] {-3.0 / 17.0, 1.0 / 33.0, -1.0 / 61.0};
        };
    }

    @Override
    public void check(ProblemClass size, int ranks) {
        if (Integer.bitCount(ranks) != 1) {
            throw new NasException("MG takes a power of two of ranks, not " + ranks);
        }
        int points = Problem.of(size).points();
        long most = (long) points / 2 * (points / 2);
        if (ranks > most) {
            throw new NasException("MG of class " + size + " takes at most " + most + " ranks, not " + ranks);
        }
    }

    @Override
    public KernelResult run(Intracomm ranks, ProblemClass size, int threads, double warmUpSeconds) {
        Problem problem = Problem.of(size);
        Solver solver = new Solver(ranks, problem);
        double[] result = new double[2];
        Team.run(ranks, threads, member -> {
            MgStencils stencils = new MgStencils(smoother(size), problem.points());
            solver.start(member);
            member.warmUp(warmUpSeconds, () -> solver.cycle(member, stencils));
            solver.start(member);
            member.once(ranks::Barrier);
            double start = System.nanoTime() * 1e-9;
            for (int iteration = 0; iteration < problem.iterations; iteration++) {
                solver.cycle(member, stencils);
            }
            double norm = solver.norm(member, stencils);
            if (member.isFirst()) {
                result[0] = System.nanoTime() * 1e-9 - start;
                result[1] = norm;
            }
        });
        double error = Math.abs(result[1] - problem.norm) / problem.norm;
        int points = problem.points();
        return new KernelResult(
                "MG",
                points + "x" + points + "x" + points,
                problem.iterations,
                "floating point",
                result[0],
                58.0 * problem.iterations * Math.pow(points, 3),
                error <= TOLERANCE,
                List.of(
                        String.format(Locale.ROOT, "L2 Norm = %.13e", result[1]),
                        String.format(Locale.ROOT, "Error   = %.13e", error)));
    }

    /** What one rank has; its threads share it. Grids are numbered by level. */
    private static final class Solver {
        private final Intracomm ranks;
        private final Problem problem;
        private final int finest;
        private final int ranksY;
        private final int ranksZ;
        /** The coarsest level that is cut. */
        private final int coarsestCut;

        private final MgGrid[] u;
        private final MgGrid[] r;
        private final MgGrid v;
        /** The same for what every rank has whole; empty if there is one rank. */
        private final MgGrid[] wholeU;

        private final MgGrid[] wholeR;

        Solver(Intracomm ranks, Problem problem) {
            this.ranks = ranks;
            this.problem = problem;
            this.finest = problem.level;
            int bits = Integer.numberOfTrailingZeros(ranks.Size());
            boolean isThick = problem.points() >> bits >= THICK;
            this.ranksY = isThick ? 1 : 1 << (bits / 2);
            this.ranksZ = ranks.Size() / ranksY;
            this.coarsestCut = Math.max(1, Integer.numberOfTrailingZeros(ranksZ));
            this.u = new MgGrid[finest + 1];
            this.r = new MgGrid[finest + 1];
            this.v = new MgGrid(ranks, problem.points(), ranksY, ranksZ);
            for (int level = coarsestCut; level <= finest; level++) {
                u[level] = new MgGrid(ranks, 1 << level, ranksY, ranksZ);
                r[level] = new MgGrid(ranks, 1 << level, ranksY, ranksZ);
            }
            int wholes = ranks.Size() == 1 ? 0 : coarsestCut + 1;
            this.wholeU = new MgGrid[wholes];
            this.wholeR = new MgGrid[wholes];
            for (int level = 1; level < wholes; level++) {
                wholeU[level] = new MgGrid(ranks, 1 << level, 1, 1);
                wholeR[level] = new MgGrid(ranks, 1 << level, 1, 1);
            }
        }

        /** Sets the charges, and a field that is 0. */
        void start(Team.Member member) {
            u[finest].clear(member);
            member.once(() -> MgCharges.place(v, ranks, ranksY, CHARGES));
            v.exchange(member);
        }

        /** One V-cycle: the residual of the finest grid goes down, corrections come up. */
        void cycle(Team.Member member, MgStencils stencils) {
            new MgSweep(member, stencils, u[finest], v, r[finest]).restrict(r[finest - 1]);
            for (int level = finest - 1; level > coarsestCut; level--) {
                restrict(member, stencils, r[level], r[level - 1]);
            }
            if (ranks.Size() == 1) {
                u[coarsestCut].clear(member);
                smooth(member, stencils, r[coarsestCut], u[coarsestCut]);
            } else {
                member.once(() -> r[coarsestCut].gatherInto(wholeR[coarsestCut], ranks));
                wholeR[coarsestCut].exchange(member);
                wholeCycle(member, stencils);
                member.once(() -> u[coarsestCut].takeFrom(wholeU[coarsestCut], ranks.Rank()));
                u[coarsestCut].exchange(member);
            }
            for (int level = coarsestCut + 1; level <= finest; level++) {
                if (level < finest) {
                    u[level].clear(member);
                }
                interpolate(member, stencils, u[level - 1], u[level]);
                new MgSweep(member, stencils, u[level], level == finest ? v : r[level], r[level]).smooth();
            }
        }

        /** The part of the cycle that is not cut. */
        private void wholeCycle(Team.Member member, MgStencils stencils) {
            for (int level = coarsestCut; level > 1; level--) {
                restrict(member, stencils, wholeR[level], wholeR[level - 1]);
            }
            wholeU[1].clear(member);
            smooth(member, stencils, wholeR[1], wholeU[1]);
            for (int level = 2; level <= coarsestCut; level++) {
                wholeU[level].clear(member);
                interpolate(member, stencils, wholeU[level - 1], wholeU[level]);
                new MgSweep(member, stencils, wholeU[level], wholeR[level], wholeR[level]).smooth();
            }
        }

        private static void residual(Team.Member member, MgStencils stencils, MgGrid u, MgGrid v, MgGrid r) {
            stencils.residual(u, v, r, 1 + member.from(u.depth()), 1 + member.to(u.depth()));
            r.exchangeRows(member);
        }

        private static void restrict(Team.Member member, MgStencils stencils, MgGrid fine, MgGrid coarse) {
            stencils.restrict(fine, coarse, 1 + member.from(coarse.depth()), 1 + member.to(coarse.depth()));
            coarse.exchangeRows(member);
        }

        private static void interpolate(Team.Member member, MgStencils stencils, MgGrid coarse, MgGrid fine) {
            int planes = coarse.depth() + 1;
            stencils.interpolate(coarse, fine, member.from(planes), member.to(planes));
            member.barrier();
        }

        private static void smooth(Team.Member member, MgStencils stencils, MgGrid r, MgGrid u) {
            stencils.smooth(r, u, 1 + member.from(u.depth()), 1 + member.to(u.depth()));
            u.exchangeRows(member);
        }

        /** The root of the mean square of the residual. */
        double norm(Team.Member member, MgStencils stencils) {
            residual(member, stencils, u[finest], v, r[finest]);
            MgGrid grid = r[finest];
            double squares = MgStencils.squares(grid, 1 + member.from(grid.depth()), 1 + member.to(grid.depth()));
            return Math.sqrt(member.sum(squares) / Math.pow(problem.points(), 3));
        }
    }

    /** The right side: +1 at the ten points with the largest random numbers, -1 at those with the smallest. */
    private static final class MgCharges {
        private MgCharges() {}

        static void place(MgGrid v, Intracomm ranks, int ranksY, int charges) {
            int points = v.width();
            int firstY = ranks.Rank() % ranksY * v.height();
            int firstZ = ranks.Rank() / ranksY * v.depth();
            // pairs of a number and its place, the best first
            double[] largest = new double[2 * charges];
            double[] smallest = new double[2 * charges];
            Arrays.fill(largest, -1.0);
            Arrays.fill(smallest, 2.0);
            for (int z = 0; z < v.depth(); z++) {
                for (int y = 0; y < v.height(); y++) {
                    long place = ((long) (firstZ + z) * points + firstY + y) * points;
                    NasRandom random = NasRandom.after(NasRandom.SEED, place);
                    for (int x = 0; x < points; x++) {
                        double number = random.next();
                        if (number > largest[2 * charges - 2]) {
                            insert(largest, number, (double) (place + x), 1);
                        }
                        if (number < smallest[2 * charges - 2]) {
                            insert(smallest, number, (double) (place + x), -1);
                        }
                    }
                }
            }
            for (int z = 0; z <= v.depth() + 1; z++) {
                for (int y = 0; y <= v.height() + 1; y++) {
                    Arrays.fill(v.row(y, z), 0.0);
                }
            }
            set(v, best(ranks, largest, 1), firstY, firstZ, 1.0);
            set(v, best(ranks, smallest, -1), firstY, firstZ, -1.0);
        }

        private static void insert(double[] list, double number, double place, int sign) {
            int index = list.length - 2;
            for (; index > 0 && sign * list[index - 2] < sign * number; index -= 2) {
                list[index] = list[index - 2];
                list[index + 1] = list[index - 1];
            }
            list[index] = number;
            list[index + 1] = place;
        }

        private static double[] best(Intracomm ranks, double[] own, int sign) {
            double[] all = new double[own.length * ranks.Size()];
            ranks.Allgather(own, 0, own.length, MPI.DOUBLE, all, 0, own.length, MPI.DOUBLE);
            double[] best = new double[own.length];
            Arrays.fill(best, -sign * 4.0);
            for (int index = 0; index < all.length; index += 2) {
                if (sign * all[index] > sign * best[best.length - 2]) {
                    insert(best, all[index], all[index + 1], sign);
                }
            }
            return best;
        }

        private static void set(MgGrid v, double[] best, int firstY, int firstZ, double value) {
            int points = v.width();
            for (int index = 1; index < best.length; index += 2) {
                long place = (long) best[index];
                int x = (int) (place % points);
                long y = place / points % points - firstY;
                long z = place / points / points - firstZ;
                if (y >= 0 && y < v.height() && z >= 0 && z < v.depth()) {
                    v.row((int) y + 1, (int) z + 1)[x + 1] = value;
                }
            }
        }
    }
}
