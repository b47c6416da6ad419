package org.galerna.applications.nas;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import mpi.Intracomm;
import mpi.MPI;
import org.galerna.applications.team.Team;

/**
 * EP, "embarrassingly parallel": pairs of Gaussian deviates by the acceptance-rejection method of Marsaglia, counted by
 * square annuli. Batches of 2^16 pairs are dealt out to ranks and threads; nothing is sent but sums.
 */
final class EpKernel implements Kernel {
    private static final long SEED = 271_828_183L;
    private static final int BATCH_BITS = 16;
    private static final int BATCH = 1 << BATCH_BITS;
    private static final int ANNULI = 10;
    private static final double TOLERANCE = 1e-8;

    @Override
    public void check(ProblemClass size, int ranks) {
        long batches = 1L << (bits(size) - BATCH_BITS);
        if (ranks > batches) {
            throw new NasException("EP of class " + size + " has work for " + batches + " ranks, not for " + ranks);
        }
    }

    private static int bits(ProblemClass size) {
        return switch (size) {
            case S -> 24;
            case W -> 25;
            case A -> 28;
            case B -> 30;
            case C -> 32;
            case D -> 36;
        };
    }

    private static double[] sums(ProblemClass size) {
        return switch (size) {
            case S -> new double[] {-3.247834652034740e+3, -6.958407078382297e+3};
            case W -> new double[] {-2.863319731645753e+3, -6.320053679109499e+3};
            case A -> new double[] {-4.295875165629892e+3, -1.580732573678431e+4};
            case B -> new double[] {4.033815542441498e+4, -2.660669192809235e+4};
            case C -> new double[] {4.764367927995374e+4, -8.084072988043731e+4};
            case D -> new double[] {1.982481200946593e+5, -1.020596636361769e+5};
        };
    }

    @Override
    public KernelResult run(Intracomm ranks, ProblemClass size, int threads, double warmUpSeconds) {
        int bits = bits(size);
        long batches = 1L << (bits - BATCH_BITS);
        double[][] parts = new double[threads][];
        long from = batches * ranks.Rank() / ranks.Size();
        long to = batches * (ranks.Rank() + 1) / ranks.Size();
        Team.run(ranks, threads, member -> {
            Batch batch = new Batch();
            double[] unused = new double[ANNULI + 2];
            member.warmUp(warmUpSeconds, () -> batch.run(member.index(), unused));
        });
        ranks.Barrier();
        double start = System.nanoTime() * 1e-9;
        Team.run(ranks, threads, member -> {
            double[] result = new double[ANNULI + 2];
            Batch batch = new Batch();
            for (long number = from + member.index(); number < to; number += member.threads()) {
                batch.run(number, result);
            }
            parts[member.index()] = result;
        });
        double[] here = new double[ANNULI + 2];
        for (double[] part : parts) {
            for (int index = 0; index < here.length; index++) {
                here[index] += part[index];
            }
        }
        double[] total = new double[here.length];
        ranks.Allreduce(here, 0, total, 0, here.length, MPI.DOUBLE, MPI.SUM);
        double seconds = System.nanoTime() * 1e-9 - start;
        return judge(size, total, seconds);
    }

    private static KernelResult judge(ProblemClass size, double[] total, double seconds) {
        double sumX = total[ANNULI];
        double sumY = total[ANNULI + 1];
        double[] expected = sums(size);
        boolean verified = Math.abs((sumX - expected[0]) / expected[0]) <= TOLERANCE
                && Math.abs((sumY - expected[1]) / expected[1]) <= TOLERANCE;
        double pairs = 0;
        List<String> details = new ArrayList<>();
        for (int annulus = 0; annulus < ANNULI; annulus++) {
            pairs += total[annulus];
            details.add(String.format(Locale.ROOT, "Count %d = %.0f", annulus, total[annulus]));
        }
        details.add(0, String.format(Locale.ROOT, "Gaussian pairs = %.0f", pairs));
        details.add(1, String.format(Locale.ROOT, "Sums = %.15e %.15e", sumX, sumY));
        double numbers = 2.0 * (1L << bits(size));
        return new KernelResult(
                "EP",
                String.format(Locale.ROOT, "%.0f", numbers),
                0,
                "Random numbers generated",
                seconds,
                numbers,
                verified,
                details);
    }

    /** One batch after the other, in arrays of its own. */
    private static final class Batch {
        /** Streams that are drawn side by side, so that no multiplication waits for the one before. */
        private static final int STREAMS = 8;

        private static final long STREAM_STEP = NasRandom.power(NasRandom.MULTIPLIER, STREAMS);

        private final double[] numbers = new double[2 * BATCH];
        private final double[] squares = new double[BATCH];

        void run(long number, double[] result) {
            long state = NasRandom.step(SEED, NasRandom.power(NasRandom.MULTIPLIER, 2L * BATCH * number));
            draw(state, numbers);
            select(result);
        }

        private static void draw(long start, double[] numbers) {
            long s0 = NasRandom.step(start, NasRandom.MULTIPLIER);
            long s1 = NasRandom.step(s0, NasRandom.MULTIPLIER);
            long s2 = NasRandom.step(s1, NasRandom.MULTIPLIER);
            long s3 = NasRandom.step(s2, NasRandom.MULTIPLIER);
            long s4 = NasRandom.step(s3, NasRandom.MULTIPLIER);
            long s5 = NasRandom.step(s4, NasRandom.MULTIPLIER);
            long s6 = NasRandom.step(s5, NasRandom.MULTIPLIER);
            long s7 = NasRandom.step(s6, NasRandom.MULTIPLIER);
            for (int index = 0; index < numbers.length; index += STREAMS) {
                numbers[index] = 2 * NasRandom.toDouble(s0) - 1;
                numbers[index + 1] = 2 * NasRandom.toDouble(s1) - 1;
                numbers[index + 2] = 2 * NasRandom.toDouble(s2) - 1;
                numbers[index + 3] = 2 * NasRandom.toDouble(s3) - 1;
                numbers[index + 4] = 2 * NasRandom.toDouble(s4) - 1;
                numbers[index + 5] = 2 * NasRandom.toDouble(s5) - 1;
                numbers[index + 6] = 2 * NasRandom.toDouble(s6) - 1;
                numbers[index + 7] = 2 * NasRandom.toDouble(s7) - 1;
                s0 = NasRandom.step(s0, STREAM_STEP);
                s1 = NasRandom.step(s1, STREAM_STEP);
                s2 = NasRandom.step(s2, STREAM_STEP);
                s3 = NasRandom.step(s3, STREAM_STEP);
                s4 = NasRandom.step(s4, STREAM_STEP);
                s5 = NasRandom.step(s5, STREAM_STEP);
                s6 = NasRandom.step(s6, STREAM_STEP);
                s7 = NasRandom.step(s7, STREAM_STEP);
            }
        }

        /** Packs the accepted pairs first, so that the loop over them has no branch that is hard to predict. */
        private void select(double[] result) {
            int accepted = 0;
            for (int pair = 0; pair < BATCH; pair++) {
                double x = numbers[2 * pair];
                double y = numbers[2 * pair + 1];
                double square = x * x + y * y;
                numbers[2 * accepted] = x;
                numbers[2 * accepted + 1] = y;
                squares[accepted] = square;
                accepted += square <= 1.0 ? 1 : 0;
            }
            double sumX = 0;
            double sumY = 0;
            for (int pair = 0; pair < accepted; pair++) {
                double square = squares[pair];
                double scale = Math.sqrt(-2.0 * Math.log(square) / square);
                double x = numbers[2 * pair] * scale;
                double y = numbers[2 * pair + 1] * scale;
                int annulus = (int) Math.max(Math.abs(x), Math.abs(y));
                result[annulus] += 1;
                sumX += x;
                sumY += y;
            }
            result[ANNULI] += sumX;
            result[ANNULI + 1] += sumY;
        }
    }
}
