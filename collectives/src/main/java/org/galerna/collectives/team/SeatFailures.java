package org.galerna.collectives.team;

import java.util.stream.IntStream;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.device.RankList;
import org.jspecify.annotations.Nullable;

/** What goes wrong between the members at a board, in the words of their collective. */
final class SeatFailures {
    private final HeapArea board;
    private final RankList members;
    private final int member;
    private final Team team;

    SeatFailures(HeapArea board, RankList members, int member, Team team) {
        this.board = board;
        this.members = members;
        this.member = member;
        this.team = team;
    }

    /** Fails if another member has called something else at the same place in the order of collectives. */
    void failIfOutOfStep() {
        Calls calls = team.calls();
        long own = calls.get(calls.number());
        for (int other = 0; other < members.size(); other++) {
            Calls theirs = board.calls(other);
            if (theirs == null) {
                continue;
            }
            if (calls.haveGoneApart(theirs)) {
                String earlier = contradiction(other, theirs);
                if (earlier != null) {
                    throw explain(ErrorClass.OTHER, -1, earlier, null);
                }
            }
            long call = theirs.get(calls.number());
            if (Calls.contradict(own, call)) {
                throw Calls.tag(call) == Calls.tag(own)
                        ? explain(ErrorClass.COUNT, -1, lengths(other, Calls.bytes(call), Calls.bytes(own)), null)
                        : explain(ErrorClass.OTHER, -1, outOfStep(other, theirs, call), null);
            }
        }
    }

    private @Nullable String contradiction(int other, Calls theirs) {
        return team.history().contradiction(team.rankInWhole(other), theirs, team.rankInWhole(member), team.calls());
    }

    private String lengths(int sender, long sent, long expected) {
        return team.failures().lengths(sender, sent, member, expected, team.operation());
    }

    /** The failure of a work because one member sends another length than another one expects. */
    DeviceException wrongLength(int sender, long sent, int receiver, long expected) {
        return team.failures().wrongLength(sender, sent, receiver, expected, team.operation());
    }

    /** Where collectives that do not block are among them, the first difference may be one of those. */
    private String outOfStep(int other, Calls theirs, long call) {
        if (team.calls().started() != theirs.started()) {
            String first = contradiction(other, theirs);
            if (first != null) {
                return first;
            }
        }
        return team.failures().outOfStep(other, (team.tag() & ~Calls.tag(-1L)) | Calls.tag(call), team.tag());
    }

    /**
     * A value that is not the expected one.
     *
     * @param from the member that shows it
     * @param header what it says of itself
     * @param expected bytes of the value
     */
    DeviceException mismatch(int from, long header, long expected) {
        int tag = team.tag();
        if (SlotHeader.call(header) != SlotHeader.call(tag)) {
            int theirs = SlotHeader.withCall(tag, header);
            return explain(ErrorClass.OTHER, from, team.failures().outOfStep(from, theirs, tag), null);
        }
        return explain(ErrorClass.COUNT, from, lengths(from, SlotHeader.length(header), expected), null);
    }

    /**
     * A wait that has failed.
     *
     * @param from the member whose value is awaited, or -1
     */
    DeviceException explain(DeviceException failure, int from) {
        if (failure.leaver() >= 0) {
            int leaver = members.indexOf(failure.leaver()); // it is a member, since the condition needs it
            Calls theirs = board.calls(leaver);
            String wrong = theirs == null ? null : contradiction(leaver, theirs);
            return wrong == null
                    ? team.failures().missed(failure, team.algorithm().name(), team.collective(), inTheSameCall())
                    : explain(ErrorClass.OTHER, -1, wrong, failure);
        }
        return failure.isByLostPeer()
                ? explain(failure.errorClass(), from, TeamFailures.lost(String.valueOf(failure.getMessage())), failure)
                : failure;
    }

    /** The members that have called the collective that this one has called last. */
    private int[] inTheSameCall() {
        Calls calls = team.calls();
        long call = calls.get(calls.number());
        return IntStream.range(0, members.size())
                .filter(other -> {
                    Calls theirs = board.calls(other);
                    return other == member || (theirs != null && theirs.get(calls.number()) == call);
                })
                .toArray();
    }

    /** A work that has failed on a member, maybe another one. */
    DeviceException explain(HeapArea.Failure failure) {
        Throwable thrown = failure.thrown();
        ErrorClass kind = thrown instanceof DeviceException device ? device.errorClass() : ErrorClass.OTHER;
        return explain(kind, failure.member(), String.valueOf(thrown.getMessage()), thrown);
    }

    private DeviceException explain(ErrorClass kind, int from, String reason, @Nullable Throwable cause) {
        String doing = from < 0 ? "" : "receiving from rank " + team.rankInWhole(from);
        return new DeviceException(
                kind,
                team.failures()
                        .text(reason, team.operation(), doing, team.algorithm().name()),
                cause);
    }
}
