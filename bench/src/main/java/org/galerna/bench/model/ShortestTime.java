package org.galerna.bench.model;

/**
 * What a {@link Program} takes at least, as far as it is written down: no {@link Simulation} of it is shorter. That is what one
 * rank is busy with its own steps, or the way of one host into the network with the messages of its ranks.
 */
final class ShortestTime {
    private final Machine machine;
    private final Program program;
    private final double[] networkOut; // by host
    private double seconds;

    ShortestTime(Machine machine, Program program, int ranks) {
        this.machine = machine;
        this.program = program;
        networkOut = new double[machine.hostOf(ranks - 1) + 1];
    }

    /** The shortest time in seconds, now that one more rank is written down. */
    double with(int rank) {
        double own = 0;
        int host = machine.hostOf(rank);
        for (int step = program.start(rank); step < program.start(rank + 1); step++) {
            Program.Kind kind = program.kind(step);
            long size = program.value(step);
            switch (kind) {
                case SEND, RECEIVE -> {
                    Level level = machine.between(rank, program.peer(step));
                    LinkCost cost = machine.link(level);
                    own += cost.overhead() + (size < cost.announced() ? size * cost.overheadPerByte() : 0);
                    if (kind == Program.Kind.SEND && level == Level.NETWORK) {
                        networkOut[host] += Math.max(cost.gap(), size * cost.gapPerByte());
                    }
                }
                case COPY -> own += size * machine.copyPerByte();
                case COMBINE -> own += size * machine.combinePerByte();
                case AWAIT -> {}
            }
        }
        double lastGap = machine.link(Level.NETWORK).gap(); // nobody waits for it
        seconds = Math.max(seconds, Math.max(own, networkOut[host] - lastGap));
        return seconds;
    }
}
