package org.galerna.collectives;

import java.util.function.Consumer;
import org.galerna.collectives.team.RecordingTeam;
import org.galerna.collectives.team.Sequence;
import org.galerna.collectives.team.Team;
import org.galerna.device.Compound;
import org.galerna.device.Request;
import org.jspecify.annotations.Nullable;

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
    /** Held while something is recorded, which needs no communication, so that nobody waits inside. */
    private final Object recording = new Object();

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
        Compound schedule;
        synchronized (recording) {
            schedule = record(team.reserve(), call);
        }
        return schedule == null ? Request.COMPLETED_SEND : team.device().start(schedule);
    }

    /**
     * Starts a collective in two parts, the second of which may depend on what the first has brought to this rank, above
     * all on lengths. It goes on by itself like any other.
     *
     * @param first calls exactly one operation of the collectives that it is given
     * @param second likewise, when the first is done, in whichever thread of the rank makes progress; must not block
     * @return done when both are
     */
    public Request start(Consumer<Collectives> first, Consumer<Collectives> second) {
        Compound schedule;
        long later;
        synchronized (recording) {
            schedule = record(team.reserve(), first);
            later = team.reserve(); // now, because the ranks get to the second part in any order
        }
        return team.device().start(new Sequence(schedule, () -> {
            synchronized (recording) {
                return record(later, second);
            }
        }));
    }

    private @Nullable Compound record(long number, Consumer<Collectives> call) {
        team.record(number);
        call.accept(collectives);
        return team.finish();
    }
}
