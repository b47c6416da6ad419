package org.galerna.bench.suite;

import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.galerna.memory.Cpus;

/**
 * How long things last: finds the iterations that make a repetition last about three milliseconds, and lets systems settle
 * before they are timed.
 *
 * <p>Before each measured command goes one that is not counted, without a pause in between, because the ranks have slept
 * while others were measured: the system wakes a thread on the core of the one that wakes it, and takes some
 * milliseconds to give it a core of its own.
 *
 * @param repetitionNanos what a repetition is to last
 * @param settleNanos what goes before it
 * @param warmUpNanos what a system that is compiled while it runs is warmed up for, per benchmark and kind of size
 * @param lullNanos what it sleeps for between two batches of the warm-up, so that compilers find a core
 * @param hasty whether it does not matter what is measured
 */
record Pace(long repetitionNanos, long settleNanos, long warmUpNanos, long lullNanos, boolean hasty) {
    /** For figures to be quoted. */
    static final Pace CAREFUL = new Pace(3_000_000, 9_000_000, 1_000_000_000, 0, false);

    /** For a first look. */
    static final Pace BRISK = new Pace(3_000_000, 9_000_000, 120_000_000, 0, false);

    /** To see that everything runs. */
    static final Pace HASTY = new Pace(50_000, 1, 1, 0, true);

    private static final int LONGEST_WARM_UP = 4;
    private static final int LULLS = 20;
    private static final int WARM_UPS = 3;
    private static final int MOST_WARM_UPS = 24;

    /** Compilers that have taken more than this part of the time since they were last waited for are likely to go on. */
    private static final double COMPILING = 0.1;

    private static final int MOST_ITERATIONS = 1_000_000;
    private static final int GROWTH = 4;
    private static final int REPETITIONS_IN_BATCH = 10;
    private static final int CORRECTIONS = 3;
    private static final double LEAST_FIT = 0.4;
    private static final double MOST_FIT = 2;

    /** Less than this part of what it should last makes a repetition too short: machines are twice as fast at times. */
    private static final double LEAST_PART = 0.2;

    /** Repetitions were long enough if an operation of longer ones takes more than this part of its time. */
    private static final double LEAST_GAIN = 0.7;

    /**
     * The pace for so many ranks: where they share cores, everybody needs a turn before anything is done, and compilers
     * too. So repetitions last longer by as many ranks as share a core, and the warm-up by up to {@value #LONGEST_WARM_UP},
     * with lulls.
     */
    Pace forRanks(int ranks) {
        int share = Math.ceilDiv(ranks, Cpus.available());
        return new Pace(
                repetitionNanos * share,
                Math.max(settleNanos, repetitionNanos * share),
                warmUpNanos * Math.min(share, LONGEST_WARM_UP),
                share > 1 ? warmUpNanos / LULLS : 0,
                hasty);
    }

    /**
     * Lets the system run a command until it is likely to be compiled. What is compiled runs on and asks for more, so that it
     * is waited for several times, and as long as there is much of it: ranks that are threads have a copy of their own of the
     * classes of the program, and each copy is compiled.
     */
    void warmUp(Entrant entrant, Command command) {
        long iterations = 1;
        boolean compiling = false;
        for (int part = 0; part < WARM_UPS || (compiling && part < MOST_WARM_UPS); part++) {
            long start = System.nanoTime();
            iterations = warmUp(entrant, command, iterations);
            if (iterations == 0) {
                return;
            }
            compiling = !hasty && compiled(entrant) > (System.nanoTime() - start) * COMPILING;
        }
    }

    /** Waits for compilers; returns the processor time that they have taken since the last time. */
    private static double compiled(Entrant entrant) {
        return entrant.contender().run(new Command(Command.COMPILED, 0, 1, 0)) instanceof Answer.Values values
                ? values.values().getFirst()
                : 0;
    }

    /** A part of the warm-up. Returns how many iterations last for a batch; 0 if the system refuses the command. */
    private long warmUp(Entrant entrant, Command command, long first) {
        long iterations = first;
        long elapsed;
        long start = System.nanoTime();
        do {
            long begun = System.nanoTime();
            if (entrant.contender().run(with(command, iterations)) instanceof Answer.Refused) {
                return 0;
            }
            long now = System.nanoTime();
            elapsed = now - start;
            // in long batches, for the time between two is lost for the compiler
            long fitting = iterations * repetitionNanos * REPETITIONS_IN_BATCH / Math.max(1, now - begun);
            iterations = Math.clamp(fitting, 1, Math.min(iterations * GROWTH, MOST_ITERATIONS));
            LockSupport.parkNanos(lullNanos);
        } while (elapsed < warmUpNanos / WARM_UPS);
        return iterations;
    }

    /**
     * The command with as many iterations as last for a repetition. The first guess comes from ranks that may have shared
     * a core; settled repetitions correct it. Always the shortest of a few times counts: a single interruption would
     * leave repetitions that are much too short. And if each operation takes less in longer ones, it was too short, for
     * waking up and being interrupted were most of it.
     */
    Command calibrate(Entrant entrant, Command command) {
        Command settled = corrected(entrant, guess(entrant, command));
        while (settled.iterations() < MOST_ITERATIONS) {
            Command longer = with(command, Math.min((long) settled.iterations() * GROWTH, MOST_ITERATIONS));
            double each = shortest(entrant, settling(settled), settled) / settled.iterations();
            double eachOfLonger = shortest(entrant, settling(longer), longer) / longer.iterations();
            if (eachOfLonger > each * LEAST_GAIN) {
                return settled;
            }
            long fitting = Math.round(repetitionNanos / eachOfLonger);
            settled = with(command, Math.clamp(fitting, settled.iterations() + 1L, longer.iterations()));
        }
        return settled;
    }

    private Command corrected(Entrant entrant, Command command) {
        Command guess = command;
        for (int correction = 0; correction < CORRECTIONS; correction++) {
            double part = shortest(entrant, settling(guess), guess) / repetitionNanos;
            if (part > LEAST_FIT && part < MOST_FIT) {
                return guess;
            }
            guess = with(command, Math.clamp(Math.round(guess.iterations() / part), 1, MOST_ITERATIONS));
        }
        return guess;
    }

    private Command guess(Entrant entrant, Command command) {
        long iterations = 1;
        while (true) {
            Command tried = with(command, iterations);
            double nanos = shortest(entrant, tried, tried);
            if (nanos >= (double) repetitionNanos / GROWTH || iterations == MOST_ITERATIONS) {
                return with(command, Math.clamp(Math.round(iterations * repetitionNanos / nanos), 1, MOST_ITERATIONS));
            }
            iterations = Math.min(iterations * GROWTH, MOST_ITERATIONS);
        }
    }

    /** The shortest time of a few runs of a command, in nanoseconds, after one of another. */
    private static double shortest(Entrant entrant, Command before, Command command) {
        return entrant.contender().run(List.of(before, command, command, command)).stream()
                .skip(1)
                .mapToDouble(answer ->
                        answer instanceof Answer.Values values ? values.values().getFirst() : refused(entrant, command))
                .map(nanos -> Math.max(1, nanos))
                .min()
                .orElseThrow();
    }

    private static double refused(Entrant entrant, Command command) {
        throw new ContenderException(entrant.contender().name() + " refuses \"" + command.toLine()
                + "\", which it has done with fewer iterations");
    }

    /** Whether a repetition that has taken so many nanoseconds was much shorter than it should be, and could be longer. */
    boolean isTooShort(Command command, double nanos) {
        return !hasty && nanos < repetitionNanos * LEAST_PART && command.iterations() < MOST_ITERATIONS;
    }

    /** Runs a command of which the iterations last for a repetition, settled. */
    Answer measure(Entrant entrant, Command command) {
        return entrant.contender().run(List.of(settling(command), command)).getLast();
    }

    /** Runs single operations, settled by repetitions of the same that are timed together. */
    Answer measureSingles(Entrant entrant, Command repetition, Command singles) {
        return entrant.contender()
                .run(List.of(singles, settling(repetition), singles))
                .getLast();
    }

    /** A repetition that is as long as it takes to settle. */
    private Command settling(Command repetition) {
        long times = Math.max(1, settleNanos / repetitionNanos);
        return with(repetition, Math.min(repetition.iterations() * times, MOST_ITERATIONS));
    }

    /** Runs a command whose answer is no time, untimed. */
    void warmUpDirect(Entrant entrant, Command command) {
        long start = System.nanoTime();
        do {
            if (entrant.contender().run(command) instanceof Answer.Refused) {
                return;
            }
        } while (System.nanoTime() - start < warmUpNanos);
    }

    private static Command with(Command command, long iterations) {
        return new Command(command.benchmark(), command.bytes(), (int) iterations, command.window());
    }
}
