package org.galerna.collectives.team;

import java.util.ArrayList;
import java.util.List;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.link.Collective;
import org.galerna.link.MissedCollective;

/** What goes wrong between the members of a team, in the words and with the ranks that the program knows. */
final class TeamFailures {
    private final Team team;
    private final String part;

    /**
     * For one team.
     *
     * @param part which part of another team it is; empty if it is none
     */
    TeamFailures(Team team, String part) {
        this.team = team;
        this.part = part;
    }

    String part() {
        return part;
    }

    /** A message of another length than this member expects. */
    DeviceException wrongLength(long received, long expected, int peer) {
        return wrongLength(peer, received, team.rank(), expected, team.operation());
    }

    /** A message between two members of another length than the second expects. */
    DeviceException wrongLength(int sender, long sent, int receiver, long expected, String operation) {
        return new DeviceException(ErrorClass.COUNT, lengths(sender, sent, receiver, expected, operation));
    }

    /** The text of an error about lengths that do not match. */
    String lengths(int sender, long sent, int receiver, long expected, String operation) {
        return "rank " + team.rankInWhole(sender) + " sends " + sent + " bytes, rank " + team.rankInWhole(receiver)
                + " expects " + expected + "; all ranks have to call " + operation + " with matching counts";
    }

    /**
     * A failure of the collective that the team has begun.
     *
     * @param running whether it goes on, so that the other member may be in another one
     * @param length what was expected, or {@link Team#ANY_LENGTH} for a send
     */
    DeviceException explain(DeviceException failure, boolean running, long length, int peer) {
        String outOfStep = running && failure.sent() < 0 && failure.isByLostPeer()
                ? team.device().outOfStep(team.context(), team.tag(), team.deviceRank(peer))
                : null;
        return outOfStep == null
                ? explain(failure, team.operation(), team.algorithm().name(), team.collective(), length, peer)
                : failed(
                        failure,
                        ErrorClass.OTHER,
                        outOfStep,
                        team.operation(),
                        team.algorithm().name(),
                        length,
                        peer);
    }

    /**
     * A failure with the words of the collective that it happened in.
     *
     * @param during name of the collective
     * @param by its algorithm
     * @param call the collective
     * @param length what was expected, or {@link Team#ANY_LENGTH} for a send
     */
    DeviceException explain(DeviceException failure, String during, String by, Collective call, long length, int peer) {
        if (failure.sent() >= 0) {
            String reason = lengths(peer, failure.sent(), team.rank(), length, during);
            return failed(failure, failure.errorClass(), reason, during, by, length, peer);
        }
        if (failure.isByLostPeer() && failure.leaver() >= 0) {
            return missed(failure, by, call, new int[] {team.rank()});
        }
        return failed(failure, failure.errorClass(), String.valueOf(failure.getMessage()), during, by, length, peer);
    }

    /** The failure of a send ({@link Team#ANY_LENGTH}) or of a receive in a collective. */
    private DeviceException failed(
            DeviceException cause, ErrorClass kind, String reason, String during, String by, long length, int peer) {
        String doing = (length == Team.ANY_LENGTH ? "sending to" : "receiving from") + " rank " + nameOf(peer);
        String advised = kind == ErrorClass.PROC_FAILED ? lost(reason) : reason;
        return new DeviceException(kind, text(advised, during, doing, by), cause);
    }

    /** What has happened because a rank is lost, and what to do. */
    static String lost(String reason) {
        return reason + "; see first why that rank has ended";
    }

    /**
     * The text of every failure of a collective: what has happened, on which ranks, what to do, and then where.
     *
     * @param during name of the collective
     * @param doing what this member did in it; empty if that does not matter
     * @param by its algorithm; empty if there is none
     */
    String text(String reason, String during, String doing, String by) {
        return reason + " (in " + during + (doing.isEmpty() ? "" : ", " + doing)
                + (by.isEmpty() ? "" : "; algorithm: " + by + part) + ")";
    }

    /**
     * The failure of a collective because a member has ended without its part in it.
     *
     * @param by the algorithm
     * @param waiting members that have called it
     */
    DeviceException missed(DeviceException failure, String by, Collective call, int[] waiting) {
        List<Integer> ranks = new ArrayList<>();
        for (int member : waiting) {
            ranks.add(team.deviceRank(member));
        }
        ranks.sort(null);
        MissedCollective missed = new MissedCollective(failure.leaver(), failure.leaverFinished(), call, ranks);
        String leaver = "rank " + nameOf(team.indexOf(failure.leaver()));
        String reason = MissedCollective.without(leaver, missed.finished()) + " this " + call.name()
                + "; all ranks have to call the same collectives, and to end after them";
        return DeviceException.missed(text(reason, call.name(), "", by), missed, failure);
    }

    /** What is wrong if another member is in the collective of one tag while this one is in that of another. */
    String outOfStep(int other, int theirs, int own) {
        return team.history().outOfStep(team.rankInWhole(other), theirs, team.rankInWhole(team.rank()), own);
    }

    /** A member, and its rank in the job if that is another one. */
    private String nameOf(int member) {
        int known = team.rankInWhole(member);
        int deviceRank = team.deviceRank(member);
        return deviceRank == known ? String.valueOf(known) : known + ", which is rank " + deviceRank + " of the job";
    }
}
