package org.galerna.collectives.algorithm;

import org.galerna.collectives.team.Team;

/** The bytes of one rank get to all. */
public interface Broadcast extends Algorithm {
    /** Sends the range of the buffer of {@code root} to the same range of the others; {@code length > 0}. */
    void broadcast(Team team, Object buffer, long offset, long length, int root);
}
