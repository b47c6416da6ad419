package org.galerna.applications.lu;

import java.util.Locale;
import mpi.Intracomm;
import org.galerna.applications.OptionValue;
import org.galerna.applications.Program;
import org.galerna.applications.ProgramException;
import org.galerna.applications.team.Team;

/**
 * Solves a dense random system by LU factorization on any number of ranks: {@code Lu [--order N] [--block B]
 * [--grid RxC] [--warm-up SECONDS]}. Rank 0 prints the time, the speed, and the scaled residual, which has to be below 16.
 */
public final class Lu {
    private static final String USAGE = "usage: Lu [--order N] [--block B] [--grid ROWSxCOLUMNS] [--warm-up SECONDS]";
    private static final double LIMIT = 16;
    private static final int WARM_UP_ORDER = 1600;
    private static final int MOST = 1 << 20;

    private Lu() {}

    /** Runs; the exit status is 2 if the arguments are wrong, and 1 if the residual is too large. */
    public static void main(String[] arguments) {
        Program.run("lu", arguments, Lu::run);
    }

    private static boolean run(Intracomm ranks, String[] arguments) {
        int order = 1000;
        int block = 64;
        double warmUp = 0;
        int rows = (int) Math.sqrt(ranks.Size());
        while (ranks.Size() % rows != 0) {
            rows--;
        }
        for (int index = 0; index < arguments.length; index += 2) {
            String option = arguments[index];
            if (index + 1 == arguments.length) {
                throw new ProgramException(option + " is not understood, or lacks its value\n" + USAGE);
            }
            String value = arguments[index + 1];
            switch (option) {
                case "--order" -> order = OptionValue.whole(option, value, 1, MOST);
                case "--block" -> block = OptionValue.whole(option, value, 1, MOST);
                case "--warm-up" -> warmUp = OptionValue.number(option, value, 0, 3600);
                case "--grid" -> rows = rowsOfGrid(value, ranks.Size());
                default -> throw new ProgramException("\"" + option + "\" is not understood\n" + USAGE);
            }
        }
        warmUp(ranks, warmUp, Math.min(order, WARM_UP_ORDER), block, rows);
        Factorization system = new Factorization(ranks, order, block, rows, ranks.Size() / rows);
        ranks.Barrier();
        double start = System.nanoTime() * 1e-9;
        system.factorize();
        double[] solution = system.solve();
        double seconds = System.nanoTime() * 1e-9 - start;
        double residual = system.residual(solution);
        boolean passed = residual < LIMIT;
        if (ranks.Rank() == 0) {
            double operations = 2.0 / 3.0 * Math.pow(order, 3) + 1.5 * Math.pow(order, 2);
            System.out.printf(
                    Locale.ROOT,
                    "order %d, blocks of %d, grid %d by %d: %.3f s, %.3f Gflop/s; scaled residual %.4f, %s%n",
                    order,
                    block,
                    rows,
                    ranks.Size() / rows,
                    seconds,
                    operations / seconds * 1e-9,
                    residual,
                    passed ? "PASSED" : "FAILED");
        }
        return passed;
    }

    /** Solves a small system for a while, so that the compiler is done before the time is taken. */
    private static void warmUp(Intracomm ranks, double seconds, int order, int block, int rows) {
        if (seconds > 0) {
            Factorization small = new Factorization(ranks, order, block, rows, ranks.Size() / rows);
            Team.run(
                    ranks,
                    1,
                    rank -> rank.warmUp(seconds, () -> {
                        small.fill();
                        small.factorize();
                        small.solve();
                    }));
        }
    }

    private static int rowsOfGrid(String text, int ranks) {
        for (int rows = 1; rows <= ranks; rows++) {
            if (ranks % rows == 0 && text.equals(rows + "x" + ranks / rows)) {
                return rows;
            }
        }
        throw new ProgramException(
                "--grid takes ROWSxCOLUMNS with a product of " + ranks + ", the number of ranks, not " + text);
    }
}
