package org.galerna.profile.otf2;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.galerna.mpi.session.Session;
import org.galerna.profile.file.RankFile;

/**
 * The communicators of a job. Each rank numbers its own; the same ranks with the same contexts are one communicator. Of an
 * intercommunicator a rank knows the other group by that communicator, and its own group by one with the same contexts.
 */
final class Communicators {
    private final Map<Groups, Integer> ids = new LinkedHashMap<>();

    /**
     * The ranks of a communicator.
     *
     * @param others those of the second group of an intercommunicator; none of others
     */
    private record Groups(int contexts, List<Integer> members, List<Integer> others) {}

    /** The number of a communicator that a rank belongs to. */
    int idOf(RankFile.Communicator communicator, RankFile rank) {
        return ids.computeIfAbsent(groups(communicator, rank), any -> ids.size());
    }

    private static Groups groups(RankFile.Communicator communicator, RankFile rank) {
        List<Integer> members = communicator.members();
        if (members.contains(rank.rank())) {
            return new Groups(communicator.contexts(), members, List.of());
        }
        List<Integer> own = rank.trace().communicators().stream()
                .filter(each -> each.contexts() == communicator.contexts())
                .map(RankFile.Communicator::members)
                .filter(each -> each.contains(rank.rank()))
                .reduce(List.of(rank.rank()), (before, each) -> each);
        // the same for both groups
        return own.getFirst() < members.getFirst()
                ? new Groups(communicator.contexts(), own, members)
                : new Groups(communicator.contexts(), members, own);
    }

    /** Defines those that events name. */
    void define(Definitions definitions) throws IOException {
        for (Map.Entry<Groups, Integer> each : ids.entrySet()) {
            Groups groups = each.getKey();
            String name = name(groups.contexts);
            if (groups.others.isEmpty()) {
                definitions.communicator(each.getValue(), name, groups.members);
            } else {
                definitions.intercommunicator(each.getValue(), name, groups.members, groups.others);
            }
        }
    }

    private static String name(int contexts) {
        return switch (contexts) {
            case Session.WORLD_CONTEXTS -> "MPI_COMM_WORLD";
            case Session.SELF_CONTEXTS -> "MPI_COMM_SELF";
            default -> "communicator " + contexts / Session.CONTEXTS_PER_COMMUNICATOR;
        };
    }
}
