package org.galerna.bench.model;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.galerna.collectives.team.Trace;

/**
 * What it costs that ranks share cores, found by simulation: the parameters with which patterns of messages take the time
 * that they have taken. A direct measurement would have to see each change of a core from rank to rank. What needs no such
 * change, or nothing but it, is measured itself. The rest of what a token takes that goes around is the time to wake ranks; where all
 * exchange short messages, it is the time in which a rank finds again what others have driven out of the caches; where they exchange long
 * ones, it is copies.
 */
public final class SharedCores {
    private static final int ROUNDS = 8;
    private static final double SHORTEST = 1e-8;
    private static final double LONGEST = 1e-3;
    private static final double SLOWEST_PER_BYTE = 1e-7;
    private static final double QUICKEST_PER_BYTE = 1e-11;
    private static final int BISECTIONS = 12;
    private static final int PASSES = 3;

    private final int ranks;
    private final long bytes;
    private final long more;
    private final long most;

    /**
     * Between ranks of one host.
     *
     * @param ranks all of them
     * @param bytes of short messages
     * @param more bytes of longer ones, which are not announced either; if there are none, their copies stay as they are
     * @param most bytes of messages that are announced; if they are not, what it takes to fetch one stays as it is
     */
    public SharedCores(int ranks, long bytes, long more, long most) {
        this.ranks = ranks;
        this.bytes = bytes;
        this.more = more;
        this.most = most;
    }

    /**
     * What was measured, in seconds.
     *
     * @param overhead a short message that follows others
     * @param look a look, with a yield that nobody makes use of
     * @param turn the same where all ranks do nothing else, divided by the ranks of a core
     * @param keep what a short message takes longer that comes before its receive
     * @param keepPerByte the same for each byte of longer messages
     * @param copyPerByte a byte that a rank copies, where all ranks copy in turns
     * @param around a short message goes around all ranks, of which all but one wait
     * @param round every rank sends a short message and waits for one, in steps, from twice as far away in each
     * @param longRound the same with longer messages
     * @param announcedRound the same with messages that are announced
     */
    public record Measured(
            double overhead,
            double look,
            double turn,
            double keep,
            double keepPerByte,
            double copyPerByte,
            double around,
            double round,
            double longRound,
            double announcedRound) {

        /** Takes the values in their order. */
        public static Measured of(double... values) {
            return new Measured(
                    values[0], values[1], values[2], values[3], values[4], values[5], values[6], values[7], values[8],
                    values[9]);
        }

        /** The values in their order. */
        public double[] values() {
            return new double[] {
                overhead, look, turn, keep, keepPerByte, copyPerByte, around, round, longRound, announcedRound
            };
        }

        /** In the middle between this and another measurement. */
        public Measured mean(Measured other) {
            double[] means = values();
            double[] others = other.values();
            Arrays.setAll(means, each -> Math.sqrt(means[each] * others[each]));
            return of(means);
        }

        /** By what factor the exchanges of messages that are not announced, and the token, have changed at most. */
        public double drift(Measured other) {
            return Math.max(
                    factor(around, other.around),
                    Math.max(factor(round, other.round), factor(longRound, other.longRound)));
        }

        private static double factor(double one, double other) {
            return Math.max(one / other, other / one);
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "overhead %.3g us, look %.3g us, turn %.3g us, kept %.3g us and %.3g GB/s, copy %.3g GB/s,"
                            + " around %.4g us, round %.4g us, long round %.4g us, announced round %.4g us",
                    overhead * 1e6,
                    look * 1e6,
                    turn * 1e6,
                    keep * 1e6,
                    1e-9 / keepPerByte,
                    1e-9 / copyPerByte,
                    around * 1e6,
                    round * 1e6,
                    longRound * 1e6,
                    announcedRound * 1e6);
        }
    }

    /** What would be measured on a machine. */
    Measured simulate(Machine machine) {
        Sharing sharing = machine.sharing();
        return new Measured(
                machine.link(Level.SOCKET).overhead(),
                sharing.look(),
                sharing.turn(),
                sharing.keep(),
                sharing.keepPerByte(),
                machine.copyPerByte(),
                around(machine),
                round(machine, bytes),
                round(machine, more),
                round(machine, most));
    }

    /** The machine with the costs of sharing, and of messages, that explain what was measured. */
    public Machine fit(Machine machine, Measured measured) {
        Sharing before = machine.sharing();
        Machine fitted = machine.withSharing(new Sharing(
                        before.looks(),
                        measured.look(),
                        measured.turn(),
                        before.wake(),
                        before.resume(),
                        measured.keep(),
                        measured.keepPerByte()))
                .withCopyPerByte(measured.copyPerByte())
                .withLinksInside(cost -> cost.withOverhead(measured.overhead()));
        for (int pass = 0; pass < PASSES; pass++) {
            fitted = seconds(fitted, measured.around(), SharedCores::waking, this::around);
            fitted = seconds(fitted, measured.round(), SharedCores::resuming, each -> round(each, bytes));
            if (more > bytes) {
                fitted = perByte(fitted, measured.longRound(), SharedCores::copying, each -> round(each, more));
            }
            if (most >= machine.link(Level.SOCKET).announced()) {
                fitted = perByte(fitted, measured.announcedRound(), SharedCores::fetching, each -> round(each, most));
            }
        }
        return fitted;
    }

    private static Machine seconds(
            Machine machine, double wanted, Parameter parameter, ToDoubleFunction<Machine> pattern) {
        return solve(machine, SHORTEST, LONGEST, wanted, parameter, pattern);
    }

    private static Machine perByte(
            Machine machine, double wanted, Parameter parameter, ToDoubleFunction<Machine> pattern) {
        return solve(machine, QUICKEST_PER_BYTE, SLOWEST_PER_BYTE, wanted, parameter, pattern);
    }

    /** A machine with another value of a parameter. */
    @FunctionalInterface
    private interface Parameter {
        Machine of(Machine machine, double value);
    }

    private static Machine waking(Machine machine, double seconds) {
        return machine.withSharing(machine.sharing().withWake(seconds));
    }

    private static Machine resuming(Machine machine, double seconds) {
        return machine.withSharing(machine.sharing().withResume(seconds));
    }

    private static Machine copying(Machine machine, double perByte) {
        return machine.withLinksInside(cost -> cost.withOverheadPerByte(perByte));
    }

    private static Machine fetching(Machine machine, double perByte) {
        return machine.withLinksInside(cost -> cost.withGapPerByte(perByte));
    }

    /** The machine with the value for which a pattern, whose time grows with it on the whole, takes about as long as wanted. */
    private static Machine solve(
            Machine machine,
            double least,
            double most,
            double wanted,
            Parameter parameter,
            ToDoubleFunction<Machine> pattern) {
        double low = least;
        double high = most;
        for (int step = 0; step < BISECTIONS; step++) {
            double middle = Math.sqrt(low * high);
            if (pattern.applyAsDouble(parameter.of(machine, middle)) < wanted) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return parameter.of(machine, Math.sqrt(low * high));
    }

    private double around(Machine machine) {
        return simulate(machine, 1, (rank, trace) -> {
            int number = 0;
            for (int round = 0; round < ROUNDS; round++) {
                if (rank == 0) {
                    trace.send(1, bytes);
                    trace.receive(ranks - 1, bytes);
                    trace.await(number + 1);
                } else {
                    trace.receive(rank - 1, bytes);
                    trace.await(number);
                    trace.send((rank + 1) % ranks, bytes);
                }
                number += 2;
            }
        });
    }

    private double round(Machine machine, long length) {
        int steps = Integer.SIZE - Integer.numberOfLeadingZeros(ranks - 1);
        return simulate(machine, steps, (rank, trace) -> {
            int number = 0;
            for (int round = 0; round < ROUNDS; round++) {
                for (int distance = 1; distance < ranks; distance <<= 1) {
                    trace.send((rank + distance) % ranks, length);
                    trace.receive((rank - distance + ranks) % ranks, length);
                    trace.await(number + 1);
                    trace.await(number);
                    number += 2;
                }
            }
        });
    }

    @FunctionalInterface
    private interface Steps {
        void write(int rank, Trace trace);
    }

    /** Seconds of a round, in which the ranks touch the same memory so many times. */
    private double simulate(Machine machine, int times, Steps steps) {
        Program program = new Program(ranks, ROUNDS * times);
        for (int rank = 0; rank < ranks; rank++) {
            steps.write(rank, program.next());
            program.end();
        }
        program.match();
        return Simulation.run(machine, program, Double.POSITIVE_INFINITY)
                        .orElseThrow()
                        .seconds()
                / ROUNDS;
    }
}
