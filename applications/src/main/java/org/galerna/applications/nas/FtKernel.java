package org.galerna.applications.nas;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import mpi.Intracomm;
import mpi.MPI;
import org.galerna.applications.fourier.GridTransform;
import org.galerna.applications.team.Team;

/**
 * FT, "Fourier transform": the heat equation on a periodic grid, solved in the spectrum, with an inverse transform in
 * every step. The factor of a wave number is a product of one factor for each direction.
 */
final class FtKernel implements Kernel {
    private static final double TOLERANCE = 1e-12;
    private static final double ALPHA = 1e-6;
    private static final int SAMPLES = 1024;

    private record Problem(int width, int height, int depth, int iterations) {
        static Problem of(ProblemClass size) {
            return switch (size) {
                case S -> new Problem(64, 64, 64, 6);
                case W -> new Problem(128, 128, 32, 6);
                case A -> new Problem(256, 256, 128, 6);
                case B -> new Problem(512, 256, 256, 20);
                case C -> new Problem(512, 512, 512, 20);
                case D -> new Problem(2048, 1024, 1024, 25);
            };
        }

        double points() {
            return (double) width * height * depth;
        }

        double operations() {
            double log = Math.log(points());
            return points() * (14.8157 + 7.19641 * log + (5.23518 + 7.21113 * log) * iterations);
        }
    }

    @Override
    public void check(ProblemClass size, int ranks) {
        if (Integer.bitCount(ranks) != 1) {
            throw new NasException("FT takes a power of two of ranks, not " + ranks);
        }
        Problem problem = Problem.of(size);
        int most = Math.min(problem.height, problem.depth);
        if (ranks > most) {
            throw new NasException("FT of class " + size + " takes at most " + most + " ranks, not " + ranks);
        }
        double buffer = 2 * problem.points() / ranks;
        if (ranks > 1 && buffer > Integer.MAX_VALUE - 16) {
            throw new NasException("FT of class " + size + " takes 1 rank, or 4 and more, not " + ranks
                    + ": one array cannot hold what a rank sends");
        }
    }

    @Override
    public KernelResult run(Intracomm ranks, ProblemClass size, int threads, double warmUpSeconds) {
        Problem problem = Problem.of(size);
        Solver solver = new Solver(ranks, problem);
        double[] seconds = new double[1];
        Team.run(ranks, threads, member -> {
            GridTransform.Workspace work = solver.transform.new Workspace();
            solver.start(member, work); // not timed: memory is touched
            member.warmUp(warmUpSeconds, () -> solver.step(member, work, 0));
            member.once(ranks::Barrier);
            double start = System.nanoTime() * 1e-9;
            solver.start(member, work);
            for (int iteration = 0; iteration < problem.iterations; iteration++) {
                solver.step(member, work, iteration);
            }
            if (member.isFirst()) {
                seconds[0] = System.nanoTime() * 1e-9 - start;
            }
        });
        return judge(size, problem, solver.sums, seconds[0]);
    }

    private static KernelResult judge(ProblemClass size, Problem problem, double[] sums, double seconds) {
        double[] expected = FtChecksums.of(size);
        boolean verified = true;
        List<String> details = new ArrayList<>();
        for (int iteration = 0; iteration < problem.iterations; iteration++) {
            double real = sums[2 * iteration];
            double imaginary = sums[2 * iteration + 1];
            double error = Math.hypot(real - expected[2 * iteration], imaginary - expected[2 * iteration + 1]);
            verified &= error <= TOLERANCE * Math.hypot(expected[2 * iteration], expected[2 * iteration + 1]);
            details.add(String.format(Locale.ROOT, "T = %3d   Checksum = %.12e %.12e", iteration + 1, real, imaginary));
        }
        return new KernelResult(
                "FT",
                problem.width + "x" + problem.height + "x" + problem.depth,
                problem.iterations,
                "floating point",
                seconds,
                problem.operations(),
                verified,
                details);
    }

    /** What one rank has; its threads share it. */
    private static final class Solver {
        private final Intracomm ranks;
        private final Problem problem;
        private final GridTransform transform;
        private final double[][] spectrumReal;
        private final double[][] spectrumImaginary;
        private final double[][] real;
        private final double[][] imaginary;
        private final double[] factorsX;
        private final double[] factorsY;
        private final double[] factorsZ;
        private final double[] sums;

        Solver(Intracomm ranks, Problem problem) {
            this.ranks = ranks;
            this.problem = problem;
            this.transform = new GridTransform(ranks, problem.width, problem.height, problem.depth);
            this.spectrumReal = transform.allocate();
            this.spectrumImaginary = transform.allocate();
            this.real = transform.allocate();
            this.imaginary = transform.allocate();
            this.factorsX = factors(problem.width);
            this.factorsY = factors(problem.height);
            this.factorsZ = factors(problem.depth);
            this.sums = new double[2 * problem.iterations];
        }

        private static double[] factors(int points) {
            double[] factors = new double[points];
            for (int index = 0; index < points; index++) {
                double wave = (index + points / 2) % points - points / 2;
                factors[index] = Math.exp(-4 * ALPHA * Math.PI * Math.PI * wave * wave);
            }
            return factors;
        }

        /** Random values, and their spectrum. */
        void start(Team.Member member, GridTransform.Workspace work) {
            member.barrier();
            int planes = transform.planes();
            for (int plane = member.from(planes); plane < member.to(planes); plane++) {
                for (int y = 0; y < problem.height; y++) {
                    int row = transform.rowInSpace(y, plane);
                    long before = ((long) (transform.firstPlane() + plane) * problem.height + y) * problem.width;
                    fill(spectrumReal[row], spectrumImaginary[row], NasRandom.after(NasRandom.SEED, 2 * before));
                }
            }
            transform.forward(member, work, spectrumReal, spectrumImaginary);
        }

        private static void fill(double[] real, double[] imaginary, NasRandom random) {
            for (int x = 0; x < real.length; x++) {
                real[x] = random.next();
                imaginary[x] = random.next();
            }
        }

        /** One step in time, back to space, and the sum of some values. */
        void step(Team.Member member, GridTransform.Workspace work, int iteration) {
            int rows = transform.rowsOfSpectrum();
            int first = transform.firstRowOfSpectrum();
            for (int row = member.from(rows); row < member.to(rows); row++) {
                for (int z = 0; z < problem.depth; z++) {
                    int index = transform.rowInSpectrum(row, z);
                    double factor = factorsY[first + row] * factorsZ[z];
                    evolve(spectrumReal[index], real[index], factorsX, factor);
                    evolve(spectrumImaginary[index], imaginary[index], factorsX, factor);
                }
            }
            transform.inverse(member, work, real, imaginary);
            member.once(() -> addSamples(iteration));
        }

        private static void evolve(double[] spectrum, double[] copy, double[] factors, double factor) {
            for (int x = 0; x < spectrum.length; x++) {
                double value = spectrum[x] * (factors[x] * factor);
                spectrum[x] = value;
                copy[x] = value;
            }
        }

        private void addSamples(int iteration) {
            double[] here = new double[2];
            for (int sample = 1; sample <= SAMPLES; sample++) {
                int plane = 5 * sample % problem.depth - transform.firstPlane();
                if (plane >= 0 && plane < transform.planes()) {
                    int row = transform.rowInSpace(3 * sample % problem.height, plane);
                    here[0] += real[row][sample % problem.width];
                    here[1] += imaginary[row][sample % problem.width];
                }
            }
            double[] total = new double[2];
            ranks.Allreduce(here, 0, total, 0, 2, MPI.DOUBLE, MPI.SUM);
            sums[2 * iteration] = total[0] / problem.points();
            sums[2 * iteration + 1] = total[1] / problem.points();
        }
    }
}
