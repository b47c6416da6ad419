package org.galerna.collectives;

import java.util.function.Consumer;
import org.galerna.collectives.team.Team;
import org.galerna.collectives.team.TeamShape;
import org.galerna.device.Request;

/** Calls collectives in one of the ways that there are. */
@FunctionalInterface
interface Caller {
    /** Calls one, and returns when the part of this rank is done. */
    void call(Consumer<Collectives> operation);

    /** The ways. */
    enum Kind {
        BLOCKING,
        NONBLOCKING;

        /** Whose algorithms are to be tried: with hosts that matter, only those that know them. */
        TeamShape shape(Placement placement) {
            return this == BLOCKING
                    ? new TeamShape(placement.size(), placement.isOneHeap(), placement.groups(), 2)
                    : TeamShape.recorded(placement.size());
        }

        Caller of(Team team, CollectiveOptions options) {
            if (this == BLOCKING) {
                Collectives collectives = new Collectives(team, options);
                return operation -> operation.accept(collectives);
            }
            NonblockingCollectives collectives = new NonblockingCollectives(team, options);
            return operation -> {
                Request request = collectives.start(operation);
                request.await();
                request.release();
            };
        }
    }
}
