package org.galerna.bench.model;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import org.galerna.collectives.team.Trace;

/**
 * What it costs that ranks share cores, found by simulation: the parameters with which two patterns of messages take the time
 * that they have taken. A direct measurement would have to see each change of a core from rank to rank.
 */
public final class SharedCores {
    private static final int ROUNDS = 8;
    private static final double LONGEST = 1e-2;
    private static final double SLOWEST_PER_BYTE = 1e-6;
    private static final int BISECTIONS = 40;
    private static final int PASSES = 3;

    private final int ranks;
    private final long bytes;
    private final long more;

    /**
     * Between ranks of one host.
     *
     * @param ranks all of them
     * @param bytes of short messages
     * @param more bytes of longer ones, which are not announced either; if there are none, their copies stay as they are
     */
    public SharedCores(int ranks, long bytes, long more) {
        this.ranks = ranks;
        this.bytes = bytes;
        this.more = more;
    }

    /**
     * What was measured, in seconds.
     *
     * @param around a short message goes around all ranks, of which all but one wait
     * @param round every rank sends a short message and waits for one, in steps, from twice as far away in each
     * @param longRound the same with longer messages
     */
    public record Measured(double around, double round, double longRound) {}

    /** What would be measured on a machine. */
    Measured simulate(Machine machine) {
        return new Measured(around(machine), round(machine, bytes), round(machine, more));
    }

    /** The machine with the turn, the wake, and the time to copy a byte, that explain what was measured. */
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
                fitted = copying(
                        turned,
                        solve(
                                SLOWEST_PER_BYTE,
                                measured.longRound(),
                                perByte -> round(copying(turned, perByte), more)));
            }
        }
        return fitted;
    }

    private static Machine copying(Machine machine, double perByte) {
        Map<Level, LinkCost> links = new EnumMap<>(machine.links());
        for (Level level : List.of(Level.SOCKET, Level.HOST)) {
            links.put(level, machine.link(level).withOverheadPerByte(perByte));
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
