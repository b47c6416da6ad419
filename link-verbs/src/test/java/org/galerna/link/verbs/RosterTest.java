package org.galerna.link.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import org.galerna.link.FrameHandler;
import org.junit.jupiter.api.Test;

class RosterTest {
    private final Roster roster = new Roster(0, 4);

    @Test
    void whoSaysThatItLeavesHasLeftWhateverBreaksAfterwards() {
        roster.announce(1, 17);
        assertThat(roster.hasSentAll(1, 16)).isFalse();
        assertThat(roster.hasSentAll(1, 17)).isTrue();
        assertThat(roster.isGone(1)).isFalse();
        assertThat(roster.lose(1, "the connection to it is broken")).isTrue();
        assertThat(roster.unreported()).singleElement().satisfies(departure -> {
            assertThat(departure.reason()).isEqualTo(FrameHandler.LEFT);
            assertThat(departure.messages()).isEqualTo(Roster.UNKNOWN);
        });
    }

    @Test
    void messagesThatAreUnderWayAreWaitedForUntilNoneCanCome() {
        roster.announce(2, 5);
        assertThat(roster.leave(2, "it has left the job")).isTrue();
        assertThat(roster.unreported().getFirst().messages()).isEqualTo(5);
        assertThat(roster.lose(2, "its queue pair has failed")).isTrue();
        assertThat(roster.unreported().getFirst().messages()).isEqualTo(Roster.UNKNOWN);
        assertThat(roster.unreported().getFirst().reason()).isEqualTo("it has left the job");
    }

    @Test
    void everybodyIsReportedOnce() {
        assertThat(roster.lose(3, "killed")).isTrue();
        assertThat(roster.leave(3, "it has left the job")).isFalse();
        assertThat(roster.pending.get()).isOne();
        roster.report(3);
        roster.report(3);
        assertThat(roster.pending.get()).isZero();
        assertThat(roster.unreported()).isEmpty();
        assertThat(roster.lose(3, "again")).isFalse();
        assertThat(roster.lose(0, "the own rank")).isFalse();
        assertThat(roster.hasSentAll(3, 0)).isTrue();
        assertThat(roster.hasSentAll(2, 0)).isFalse();
    }
}
