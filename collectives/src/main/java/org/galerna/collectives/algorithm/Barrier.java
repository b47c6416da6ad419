package org.galerna.collectives.algorithm;

import org.galerna.collectives.team.Team;

/** Nobody leaves before everybody has arrived. */
public interface Barrier extends Algorithm {
    /** Waits for the other members. */
    void barrier(Team team);
}
