package org.galerna.link;

import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A collective that can never end, because a rank has ended without its part in it: mostly, without calling it.
 *
 * @param leaver the rank that has ended
 * @param finished whether it had finished, as far as is known
 * @param collective what others are in
 * @param waiting the ranks that are known to have called it, in ascending order, at least one
 */
public record MissedCollective(int leaver, boolean finished, Collective collective, List<Integer> waiting) {
    /** With the list copied. */
    public MissedCollective {
        waiting = List.copyOf(waiting);
    }

    /** Whether it is about the same end of the same rank, as others see it. */
    public boolean isSame(MissedCollective other) {
        return leaver == other.leaver
                && collective.communicator() == other.collective.communicator()
                && collective.number() == other.collective.number();
    }

    /** With all ranks that either of the two knows. */
    public MissedCollective with(MissedCollective other) {
        List<Integer> all = Stream.concat(waiting.stream(), other.waiting.stream())
                .collect(Collectors.toCollection(TreeSet::new))
                .stream()
                .toList();
        return new MissedCollective(leaver, finished && other.finished, collective, all);
    }

    /** One sentence without its full stop. */
    public String describe() {
        String ranks = waiting.stream().map(String::valueOf).collect(Collectors.joining(", "));
        return without("rank " + leaver, finished) + " the " + collective.name() + " that "
                + (waiting.size() == 1 ? "rank " + ranks + " is in" : "ranks " + ranks + " are in");
    }

    /** {@code rank 2 has left the job without its part in}, to go on with the name of a collective. */
    public static String without(String rank, boolean finished) {
        return rank
                + (finished
                        ? " has left the job without its part in"
                        : " has ended without MPI.Finalize, and without its part in");
    }
}
