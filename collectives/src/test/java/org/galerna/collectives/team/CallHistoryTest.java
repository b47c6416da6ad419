package org.galerna.collectives.team;

import static org.assertj.core.api.Assertions.assertThat;

import org.galerna.link.Collective;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CallHistoryTest {
    private static final int BARRIER = CallTag.blocking(0, Collective.NONE);

    private final CallHistory history = new CallHistory(7);
    private final Calls calls = new Calls();
    private final Calls others = new Calls();

    @BeforeEach
    void nameOperations() {
        history.name(number -> number == 0 ? "Barrier" : "Bcast");
    }

    private static int bcast(int root) {
        return CallTag.blocking(1, root);
    }

    private static void start(Calls calls, int tag, long bytes) {
        calls.name(calls.start(), tag, bytes);
    }

    @Test
    void callsOfBothKindsHaveOneOrder() {
        calls.add(bcast(0), 40);
        start(calls, bcast(2), 80);
        calls.add(BARRIER, Collective.NONE);
        Collective last = history.last(calls);
        assertThat(last.number()).isEqualTo(3);
        assertThat(last.describe()).isEqualTo("Barrier");
        assertThat(last.others())
                .extracting(Collective::describe)
                .containsExactly("Bcast, root 0, 40 bytes", "Ibcast, root 2, 80 bytes");
    }

    @Test
    void aPlaceThatIsNotKnownAnyMoreIsNotGuessed() {
        calls.add(BARRIER, Collective.NONE);
        for (int count = 0; count <= Calls.DEPTH; count++) {
            start(calls, bcast(0), 8);
        }
        assertThat(history.last(calls).number()).isEqualTo(Collective.NONE);
        calls.add(BARRIER, Collective.NONE);
        assertThat(history.last(calls).number()).isEqualTo(Calls.DEPTH + 3);
    }

    @Test
    void theFirstDifferenceCounts() {
        calls.add(bcast(0), 0);
        others.add(BARRIER, Collective.NONE);
        calls.add(BARRIER, Collective.NONE);
        others.add(BARRIER, Collective.NONE);
        assertThat(calls.haveGoneApart(others)).isTrue();
        assertThat(history.contradiction(0, calls, 1, others))
                .isEqualTo("rank 0 has called Bcast, rank 1 Barrier; all ranks of a communicator have to call the same"
                        + " collectives in the same order");
    }

    @Test
    void aFailureMayHaveBeenFollowedByAnotherAttempt() {
        calls.add(bcast(0), 8);
        others.add(bcast(1), 8);
        calls.add(BARRIER, Collective.NONE);
        others.spoil();
        assertThat(calls.haveGoneApart(others)).isFalse();
        assertThat(others.haveGoneApart(calls)).isFalse();
    }

    @Test
    void anyNumberOfCallsMayBeUnderWayInTheSameOrder() {
        for (Calls each : new Calls[] {calls, others}) {
            for (int count = 0; count < 100; count++) {
                start(each, bcast(count % 3), count);
                if (count % 4 == 0) {
                    each.add(BARRIER, Collective.NONE);
                }
            }
        }
        assertThat(history.contradiction(0, calls, 1, others)).isNull();
        assertThat(CallTag.isAfter(CallTag.started(1, 101), calls.started())).isTrue();
        assertThat(CallTag.isAfter(CallTag.started(1, 100), calls.started())).isFalse();
    }
}
