package org.galerna.collectives.selection;

import java.util.ArrayList;
import java.util.List;
import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Operation;
import org.galerna.collectives.team.TeamShape;
import org.galerna.link.process.OwnLog;
import org.jspecify.annotations.Nullable;

/**
 * The algorithms among which one team chooses for one operation. Every member comes to the same choice, since it
 * depends only on what all of them know.
 *
 * @param <A> interface of the operation
 */
public final class Choice<A extends Algorithm> {
    private static final System.Logger LOGGER = OwnLog.of(Choice.class.getName());

    private final List<A> algorithms = new ArrayList<>();
    private final long[] bounds;

    private Choice(int rules) {
        bounds = new long[rules];
    }

    /**
     * What is left of a table for a team.
     *
     * @param type interface of the operation
     * @param forced name of the algorithm to use wherever its restrictions admit it, or null
     * @param device name of the device
     * @param team what the choice depends on besides
     * @throws IllegalArgumentException if there is no algorithm of that name
     */
    public static <A extends Algorithm> Choice<A> of(
            Class<A> type,
            Operation operation,
            @Nullable String forced,
            DecisionTable table,
            String device,
            TeamShape team) {
        int ranks = team.ranks();
        List<DecisionTable.Rule> rules = new ArrayList<>();
        if (forced != null) {
            Algorithm algorithm = Catalogue.find(operation, forced);
            if (algorithm.restrictions().admits(team)) {
                rules.add(new DecisionTable.Rule(operation, "*", Integer.MAX_VALUE, Long.MAX_VALUE, algorithm));
            } else if (ranks > 1) {
                LOGGER.log(
                        System.Logger.Level.INFO,
                        "{0} cannot use the algorithm {1} with {2} ranks on the device {3}, placed as they are; the"
                                + " table decides",
                        operation,
                        forced,
                        ranks,
                        device);
            }
        }
        rules.addAll(table.rulesFor(operation, device, team));
        Choice<A> choice = new Choice<>(rules.size());
        for (int i = 0; i < rules.size(); i++) {
            A algorithm = type.cast(rules.get(i).algorithm());
            choice.algorithms.add(algorithm);
            long largest = algorithm.largest(ranks);
            choice.bounds[i] =
                    largest < rules.get(i).bytes() ? largest + 1 : rules.get(i).bytes();
        }
        return choice;
    }

    /** The algorithm for an operation of this size. */
    public A choose(long bytes) {
        return choose(bytes, true);
    }

    /** The algorithm for a reduction of this size. */
    public A choose(long bytes, boolean commutative) {
        for (int i = 0; i < bounds.length; i++) {
            A algorithm = algorithms.get(i);
            if (bytes < bounds[i] && (commutative || !algorithm.restrictions().commutative())) {
                return algorithm;
            }
        }
        return algorithms.getLast();
    }
}
