package org.galerna.launch.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.galerna.launch.report.JobResult;
import org.galerna.launch.report.Outcome;
import org.galerna.link.Collective;
import org.galerna.link.MissedCollective;
import org.junit.jupiter.api.Test;

class OutcomeResolverTest {
    private static final long LATER = Long.MAX_VALUE / 2;

    private final OutcomeResolver verdict =
            new OutcomeResolver(ProcessJob.builder().ranks(3), Layout.of(List.of(Host.HERE), 3));

    private void fails(int rank, String stackTrace) {
        fails(rank, false, stackTrace);
    }

    private void fails(int rank, boolean byLostPeer, String stackTrace) {
        verdict.failed(new Outcome.FailedElsewhere(rank, "rank-" + rank, stackTrace, byLostPeer, null), 0);
    }

    private void misses(int rank, int leaver, long number) {
        Collective barrier = new Collective(1, number, "Barrier", Collective.NONE, Collective.NONE);
        verdict.failed(
                new Outcome.FailedElsewhere(
                        rank,
                        "rank-" + rank,
                        "mpi.MPIException: Barrier\n    at Main.main(Main.java:3)\n",
                        true,
                        new MissedCollective(leaver, true, barrier, List.of(rank))),
                0);
    }

    @Test
    void ranksThatMissTheSameOneAreReportedTogether() {
        misses(2, 1, 7);
        misses(0, 1, 7);
        Outcome outcome = verdict.look(LATER).orElseThrow();
        assertThat(new JobResult(outcome, List.of(1), Duration.ZERO).report()).isEqualTo("""
                        galerna: rank 1 has left the job without its part in the Barrier that ranks 0, 2 are in
                            at Main.main(Main.java:3)
                        """);
    }

    @Test
    void aMissedRankThatHasFailedIsTheReason() {
        misses(2, 1, 7);
        fails(1, "java.lang.IllegalStateException: boom");
        assertThat(blamed()).isEqualTo(1);
    }

    private int blamed() {
        return verdict.look(LATER)
                .map(outcome -> ((Outcome.FailedElsewhere) outcome).rank())
                .orElseThrow();
    }

    @Test
    void theFirstFailureIsTheReason() {
        fails(2, "java.lang.IllegalStateException: boom");
        fails(1, "java.lang.IllegalStateException: boom, too");
        assertThat(blamed()).isEqualTo(2);
    }

    @Test
    void aFailureWhoseEffectIsKnownFirstIsTheReasonAllTheSame() {
        fails(2, "mpi.MPIException: receive cannot complete, because rank 1 is gone: its process has ended");
        fails(0, "mpi.MPIException: receive cannot complete, because rank 2 is gone: its process has ended");
        fails(1, "java.lang.IllegalStateException: boom");
        assertThat(blamed()).isEqualTo(1);
    }

    @Test
    void theNumberOfARankIsTakenAsAWhole() {
        fails(2, "mpi.MPIException: receive cannot complete, because rank 11 is gone: its process has ended");
        fails(1, "java.lang.IllegalStateException: boom");
        assertThat(blamed()).isEqualTo(2);
    }

    @Test
    void aConsequenceOfAnotherEndGivesWayToAFailureThatIsNone() {
        fails(2, true, "mpi.MPIException: receive cannot complete, because all other ranks are gone");
        fails(0, true, "mpi.MPIException: receive cannot complete, because all other ranks are gone");
        fails(1, false, "java.lang.IllegalStateException: boom");
        assertThat(blamed()).isEqualTo(1);
    }
}
