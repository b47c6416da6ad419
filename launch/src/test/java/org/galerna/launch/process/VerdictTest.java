package org.galerna.launch.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.galerna.launch.rendezvous.FieldWriter;
import org.galerna.launch.rendezvous.Kind;
import org.galerna.launch.rendezvous.Message;
import org.galerna.launch.report.Outcome;
import org.junit.jupiter.api.Test;

class VerdictTest {
    private static final long LATER = Long.MAX_VALUE / 2;

    private final Verdict verdict = new Verdict(ProcessJob.builder().ranks(3), Layout.of(List.of(Host.HERE), 3));

    private void fails(int rank, String stackTrace) {
        fails(rank, false, stackTrace);
    }

    private void fails(int rank, boolean byLostPeer, String stackTrace) {
        verdict.failed(
                rank,
                byLostPeer,
                Message.of(
                                Kind.FAILED,
                                rank,
                                0,
                                new FieldWriter().text("rank-" + rank).text(stackTrace))
                        .fields(),
                0);
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
