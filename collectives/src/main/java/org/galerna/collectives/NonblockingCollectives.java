package org.galerna.collectives;

import java.util.function.Consumer;
import org.galerna.collectives.team.RecordingTeam;
import org.galerna.collectives.team.Team;
import org.galerna.device.Compound;
import org.galerna.device.Request;

/**
 * Collectives of one communicator that go on while the rank does something else. Any number of them can be under way,
 * also beside blocking ones. They move when the rank makes progress: when any of its threads waits for or tests any
 * request, sends, receives or probes.
 *
 * <p>The algorithms are those of {@link Collectives} that need nothing but messages, as options and table choose among
 * them. All members start the same collectives in the same order; one thread at a time starts them.
 *
 * <p>Buffers must not be changed, nor those that are written to be read, before the request is done; the arrays that
 * say where blocks lie can be.
 */
public final class NonblockingCollectives {
    private final RecordingTeam team;
    private final Collectives collectives;

    /** Collectives of a team, with algorithms as the {@linkplain CollectiveOptions system properties} say. */
    public NonblockingCollectives(Team team) {
        this(team, CollectiveOptions.fromSystemProperties());
    }

    /** Collectives of a team; all members must have the same options. */
    public NonblockingCollectives(Team team, CollectiveOptions options) {
        this.team = new RecordingTeam(team);
        this.collectives = new Collectives(this.team, options);
    }

    /**
     * Starts a collective.
     *
     * @param call calls exactly one operation of the collectives that it is given
     * @return done when the part of this rank is; it is released like any other
     */
    public Request start(Consumer<Collectives> call) {
        team.record();
        call.accept(collectives);
        Compound schedule = team.finish();
        return schedule == null ? Request.COMPLETED_SEND : team.device().start(schedule);
    }
}
