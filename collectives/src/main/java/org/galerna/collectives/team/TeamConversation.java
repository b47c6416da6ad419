package org.galerna.collectives.team;

import org.galerna.device.Conversation;
import org.galerna.link.Collective;
import org.jspecify.annotations.Nullable;

/** What the messages of a team are for. */
final class TeamConversation implements Conversation {
    private final Team team;

    TeamConversation(Team team) {
        this.team = team;
    }

    @Override
    public @Nullable Collective collective(int ofMessages) {
        return CallTag.isBlocking(ofMessages) ? team.collective() : null;
    }

    @Override
    public boolean isOrdered(int ofMessages) {
        return CallTag.isBlocking(ofMessages) && !team.calls().isSpoilt();
    }

    @Override
    public boolean isAhead(int ofMessages) {
        return CallTag.isAfter(ofMessages, team.calls().started());
    }

    @Override
    public String describe(int ofMessages) {
        return team.history().describe(ofMessages);
    }

    @Override
    public String outOfStep(int deviceRank, int sent, int awaited) {
        return team.failures().outOfStep(team.indexOf(deviceRank), sent, awaited);
    }
}
