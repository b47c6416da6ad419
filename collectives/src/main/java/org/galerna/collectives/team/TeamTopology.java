package org.galerna.collectives.team;

import org.galerna.device.RankList;
import org.jspecify.annotations.Nullable;

/**
 * Where the members of a team are, and what follows from that for their collectives; each answer is found when somebody first
 * asks. Of the thread that uses the team.
 */
final class TeamTopology {
    private final Team team;
    private final boolean oneHeap;
    private @Nullable TeamShape shape;
    private @Nullable String deviceInTables;
    private @Nullable HostTeams hosts;
    /** Whether the collective that has begun uses {@code hosts}. */
    private boolean usesHosts;

    /** @param oneHeap whether the members share a heap */
    TeamTopology(Team team, boolean oneHeap) {
        this.team = team;
        this.oneHeap = oneHeap;
    }

    /** As {@link #TeamTopology(Team, boolean)}, of a known shape. */
    TeamTopology(Team team, TeamShape shape) {
        this(team, shape.oneHeap());
        this.shape = shape;
    }

    String deviceInTables(RankList members) {
        String present = deviceInTables;
        if (present == null) {
            present = team.device().nameAmong(members);
            deviceInTables = present;
        }
        return present;
    }

    TeamShape shape() {
        TeamShape present = shape;
        if (present == null) {
            present = oneHeap
                    ? TeamShape.flat(team.size(), true)
                    : team.placement().shape();
            shape = present;
        }
        return present;
    }

    /** The members by their hosts; they begin the collective of the team. */
    HostTeams beginByHost(long bytes) {
        HostTeams present = hosts;
        if (present == null) {
            present = new HostTeams(team, team.placement());
            hosts = present;
        }
        if (!usesHosts) { // a collective of several parts asks in each of them
            present.begin(team.operation(), team.algorithm(), team.tag(), bytes);
            usesHosts = true;
        }
        return present;
    }

    /** The collective of the team has succeeded. */
    void end() {
        if (usesHosts && hosts != null) {
            hosts.end();
            usesHosts = false;
        }
    }

    /** The collective of the team has failed. */
    void abandon() {
        if (usesHosts && hosts != null) {
            hosts.abandon();
            usesHosts = false;
        }
    }
}
