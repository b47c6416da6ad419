package org.galerna.link.support;

import static org.assertj.core.api.Assertions.assertThat;

import org.galerna.link.FrameHandler;
import org.junit.jupiter.api.Test;

class MembershipTest {
    private final Membership membership = new Membership(0, 4);

    @Test
    void whoSaysThatItLeavesHasLeftWhateverBreaksAfterwards() {
        membership.announce(1, 17);
        assertThat(membership.hasSentAll(1, 16)).isFalse();
        assertThat(membership.hasSentAll(1, 17)).isTrue();
        assertThat(membership.isGone(1)).isFalse();
        assertThat(membership.lose(1, "the connection to it is broken")).isTrue();
        assertThat(membership.unreported()).singleElement().satisfies(departure -> {
            assertThat(departure.reason()).isEqualTo(FrameHandler.LEFT);
            assertThat(departure.messages()).isEqualTo(Membership.UNKNOWN);
        });
    }

    @Test
    void messagesThatAreUnderWayAreWaitedForUntilNoneCanCome() {
        membership.announce(2, 5);
        assertThat(membership.leave(2, "it has left the job")).isTrue();
        assertThat(membership.unreported().getFirst().messages()).isEqualTo(5);
        assertThat(membership.lose(2, "its queue pair has failed")).isTrue();
        assertThat(membership.unreported().getFirst().messages()).isEqualTo(Membership.UNKNOWN);
        assertThat(membership.unreported().getFirst().reason()).isEqualTo("it has left the job");
    }

    @Test
    void everybodyIsReportedOnce() {
        assertThat(membership.lose(3, "killed")).isTrue();
        assertThat(membership.leave(3, "it has left the job")).isFalse();
        assertThat(membership.pending.get()).isOne();
        membership.report(3);
        membership.report(3);
        assertThat(membership.pending.get()).isZero();
        assertThat(membership.unreported()).isEmpty();
        assertThat(membership.lose(3, "again")).isFalse();
        assertThat(membership.lose(0, "the own rank")).isFalse();
        assertThat(membership.hasSentAll(3, 0)).isTrue();
        assertThat(membership.hasSentAll(2, 0)).isFalse();
    }
}
