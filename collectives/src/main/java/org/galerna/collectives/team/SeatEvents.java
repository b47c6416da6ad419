package org.galerna.collectives.team;

import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.RankList;
import org.galerna.device.SharedCondition;
import org.galerna.device.SharedHeap;
import org.galerna.link.Collective;
import org.galerna.memory.AsymmetricFence;

/** What the members at a board wait for, and how they wake each other. */
final class SeatEvents {
    /** Members up to which each looks for each; beyond, they are counted. */
    static final int FLAGS = 4;

    /** The event that all have entered the round, or that its work is done. */
    static final long ROUND = -1;

    private static final int SEQUENCE_BITS = 48;

    private final AsymmetricFence fence;
    private final HeapArea board;
    private final SharedHeap heap;
    private final RankList members;
    private final int member;
    private final int size;
    private final Team team;
    private final SeatFailures failures;

    SeatEvents(HeapArea board, SharedHeap heap, RankList members, int member, Team team, SeatFailures failures) {
        this.board = board;
        this.heap = heap;
        this.fence = heap.sleepFence();
        this.members = members;
        this.member = member;
        this.size = members.size();
        this.team = team;
        this.failures = failures;
    }

    /** Wakes those who sleep until this event; after it has become visible. */
    void signal(long event) {
        signal(event, size);
    }

    /** As {@link #signal(long)}, but wakes no more than so many. */
    void signal(long event, int most) {
        fence.light();
        if (board.hasSleepers(kind(event))) {
            wake(event, most);
        }
    }

    /** In a method of its own, which is not inlined: each collective asks whether there are sleepers, and mostly there are none. */
    private void wake(long event, int most) {
        int left = most;
        for (int other = 0; other < size && left > 0; other++) {
            if (board.wish(other) == event) {
                heap.wakeUp(members.get(other));
                left--;
            }
        }
    }

    /** Sleepers are counted by kinds of events, so that who has news for nobody need not look for each one's wish. */
    private static int kind(long event) {
        return event == ROUND ? 0 : event < ROUND ? 1 : 2;
    }

    /** The event that a member shows its value. */
    static long slotOf(int other) {
        return ROUND - 1 - other;
    }

    /** The event that a member finishes a collective. */
    static long finishOf(int other, long number) {
        return ((long) other << SEQUENCE_BITS) | number;
    }

    /**
     * Waits.
     *
     * @param from the member whose value is awaited, or -1
     */
    void await(Condition condition, int from) {
        try {
            heap.await(condition);
        } catch (DeviceException failure) {
            throw failures.explain(failure, from);
        }
    }

    /** What this member waits for, and which members still have to act for it. */
    abstract class Condition implements SharedCondition {
        /** Whether the member has done its part. */
        abstract boolean hasActed(int other);

        /** What wakes this member. */
        abstract long event();

        @Override
        public String operation() {
            return team.history().describe(team.tag());
        }

        @Override
        public Collective collective() {
            return team.collective();
        }

        @Override
        public void failIfOutOfStep() {
            if (!isDone()) {
                failures.failIfOutOfStep();
            }
        }

        @Override
        public int awaitedPeer() {
            for (int other = 0; other < size; other++) {
                if (!hasActed(other)) {
                    return members.get(other);
                }
            }
            return Device.ANY_SOURCE;
        }

        @Override
        public boolean needs(int rank) {
            int other = members.indexOf(rank);
            return other >= 0 && !hasActed(other);
        }

        @Override
        public void announceSleep() {
            board.wish(member, event());
            board.addSleepers(kind(event()), 1);
        }

        @Override
        public void retractSleep() {
            board.addSleepers(kind(event()), -1);
            board.wish(member, 0);
        }
    }

    /** One member has shown its value. */
    final class SlotShown extends Condition {
        private int from;
        private long slot;
        private long sequence;

        SlotShown by(int other, long at, long number) {
            from = other;
            slot = at;
            sequence = number;
            return this;
        }

        @Override
        public boolean isDone() {
            return board.committed(slot) == sequence;
        }

        @Override
        boolean hasActed(int other) {
            return other != from || isDone();
        }

        @Override
        long event() {
            return slotOf(from);
        }
    }

    /** One member has finished a collective of slots. */
    final class Finished extends Condition {
        private int whose;
        private long number;

        Finished by(int other, long last) {
            whose = other;
            number = last;
            return this;
        }

        @Override
        public boolean isDone() {
            return board.finished(whose) >= number;
        }

        @Override
        boolean hasActed(int other) {
            return other != whose || isDone();
        }

        @Override
        long event() {
            return finishOf(whose, number);
        }
    }

    /** All members have entered the round. */
    final class AllEntered extends Condition {
        private long round;
        private int next;

        AllEntered of(long number) {
            round = number;
            next = 0;
            return this;
        }

        @Override
        public boolean isDone() {
            if (size > FLAGS) {
                return board.arrivals() >= size * round;
            }
            while (next < size && hasActed(next)) {
                next++;
            }
            return next == size;
        }

        @Override
        boolean hasActed(int other) {
            return board.entered(other) >= round;
        }

        @Override
        long event() {
            return ROUND;
        }
    }

    /** All pieces of the work are done; a member that is gone cannot have taken one along. */
    final class WorkDone extends Condition {
        private final PieceClaims claims;

        WorkDone(PieceClaims claims) {
            this.claims = claims;
        }

        @Override
        public boolean isDone() {
            return claims.allDone();
        }

        @Override
        boolean hasActed(int other) {
            return true;
        }

        @Override
        long event() {
            return ROUND;
        }
    }
}
