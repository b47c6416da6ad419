package org.galerna.bench.model;

import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.function.UnaryOperator;
import org.galerna.collectives.team.Trace;

/**
 * What it costs that ranks share cores, found by simulation: the parameters with which patterns of messages take the time
 * that they have taken. A direct measurement would have to see each change of a core from rank to rank. Most of what a token takes
 * that goes around are ranks that have slept; where all exchange short messages, it is turns; where they exchange long ones, it is
 * copies, whose memory other ranks have driven out of the caches since.
 */
public final class SharedCores {
    private static final int ROUNDS = 8;
    private static final double LONGEST = 1e-2;
    private static final double SLOWEST_PER_BYTE = 1e-6;
    private static final double QUICKEST_PER_BYTE = 1e-13;
    private static final int BISECTIONS = 40;
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
     * @param around a short message goes around all ranks, of which all but one wait
     * @param round every rank sends a short message and waits for one, in steps, from twice as far away in each
     * @param longRound the same with longer messages
     * @param announcedRound the same with messages that are announced
     */
    public record Measured(double around, double round, double longRound, double announcedRound) {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "measured: around %.4g us, round %.4g us, long round %.4g us, announced round %.4g us",
                    around * 1e6,
                    round * 1e6,
                    longRound * 1e6,
                    announcedRound * 1e6);
        }
    }

    /** What would be measured on a machine. */
    Measured simulate(Machine machine) {
        return new Measured(around(machine), round(machine, bytes), round(machine, more), round(machine, most));
    }

    /** The machine with the turn, the wake, and the times to copy a byte, that explain what was measured. */
    public Machine fit(Machine machine, Measured measured) {
        Machine fitted = machine;
        for (int pass = 0; pass < PASSES; pass++) {
            Machine base = fitted;
            fitted = base.withSharing(
                    base.turn(),
                    solve(LONGEST, measured.around(), wake -> around(base.withSharing(base.turn(), wake))));
            Machine woken = fitted;
            fitted = woken.withSharing(
                    solve(LONGEST, measured.round(), turn -> round(woken.withSharing(turn, woken.wake()), bytes)),
                    woken.wake());
            if (more > bytes) {
                Machine turned = fitted;
                fitted = copying(turned, perByte(measured.longRound(), each -> round(copying(turned, each), more)));
            }
            if (most >= machine.link(Level.SOCKET).announced()) {
                Machine copying = fitted;
                fitted = fetching(
                        copying, perByte(measured.announcedRound(), each -> round(fetching(copying, each), most)));
            }
        }
        return fitted;
    }

    private static double perByte(double wanted, DoubleUnaryOperator function) {
        return Math.max(QUICKEST_PER_BYTE, solve(SLOWEST_PER_BYTE, wanted, function));
    }

    private static Machine copying(Machine machine, double perByte) {
        return linked(machine, cost -> cost.withOverheadPerByte(perByte));
    }

    private static Machine fetching(Machine machine, double perByte) {
        return linked(machine, cost -> cost.withGapPerByte(perByte));
    }

    /** The machine with other costs of messages inside a host. */
    private static Machine linked(Machine machine, UnaryOperator<LinkCost> change) {
        Map<Level, LinkCost> links = new EnumMap<>(machine.links());
        for (Level level : List.of(Level.SOCKET, Level.HOST)) {
            links.put(level, change.apply(machine.link(level)));
        }
        return machine.withLinks(links);
    }

    /** The value from 0 on for which a function that grows on the whole is about as large as wanted; 0 if it is larger there. */
    private static double solve(double largest, double wanted, DoubleUnaryOperator function) {
        double low = 0;
        double high = largest;
        for (int step = 0; step < BISECTIONS; step++) {
            double middle = (low + high) / 2;
            if (function.applyAsDouble(middle) < wanted) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private double around(Machine machine) {
        return simulate(machine, (rank, trace) -> {
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
        return simulate(machine, (rank, trace) -> {
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

    private double simulate(Machine machine, Steps steps) {
        Program program = new Program(ranks);
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
