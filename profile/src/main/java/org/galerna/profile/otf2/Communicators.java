package org.galerna.profile.otf2;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.galerna.mpi.session.Session;
import org.galerna.profile.file.RankFile;

/**
 * The communicators of a job. Each rank numbers its own; the same ranks with the same contexts are one communicator. Ranks of an
 * intercommunicator, of which a rank knows the other group only, are named by their ranks in the job.
 */
final class Communicators {
    private final List<Integer> all;
    private final Map<RankFile.Communicator, Integer> ids = new LinkedHashMap<>();

    Communicators(int ranks) {
        this.all = IntStream.range(0, ranks).boxed().toList();
    }

    /** The number of a communicator that a rank belongs to. */
    int idOf(RankFile.Communicator communicator, int ofRank) {
        RankFile.Communicator key = isBetweenGroups(communicator, ofRank)
                ? new RankFile.Communicator(communicator.contexts(), all)
                : communicator;
        return ids.computeIfAbsent(key, any -> ids.size());
    }

    /** Defines those that events name. */
    void define(Definitions definitions) throws IOException {
        for (RankFile.Communicator each : ids.keySet()) {
            definitions.communicator(name(each.contexts()), each.members());
        }
    }

    /** The rank in a communicator of a rank of the job. */
    static int rankIn(RankFile.Communicator communicator, int ofRank, int peer) {
        return isBetweenGroups(communicator, ofRank)
                ? peer
                : communicator.members().indexOf(peer);
    }

    private static boolean isBetweenGroups(RankFile.Communicator communicator, int ofRank) {
        return !communicator.members().contains(ofRank);
    }

    private static String name(int contexts) {
        return switch (contexts) {
            case Session.WORLD_CONTEXTS -> "MPI_COMM_WORLD";
            case Session.SELF_CONTEXTS -> "MPI_COMM_SELF";
            default -> "communicator " + contexts / Session.CONTEXTS_PER_COMMUNICATOR;
        };
    }
}
