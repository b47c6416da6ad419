package org.galerna.link.tcp.connecting;

import static org.assertj.core.api.Assertions.assertThat;

import org.galerna.link.FrameHandler;
import org.galerna.link.support.RegionTable;
import org.galerna.link.tcp.stream.Connection;
import org.galerna.link.tcp.stream.LinkBuffers;
import org.galerna.link.tcp.stream.Outbound;
import org.galerna.link.tcp.wire.Wire;
import org.junit.jupiter.api.Test;

/** What becomes of a peer to which a connection is paused. */
class MembershipTest {
    private final Membership membership = new Membership(0, 2, peer -> false, MembershipTest::connection);

    static Connection connection(int peer) {
        Outbound.Events events = new Outbound.Events() {
            @Override
            public void onFull() {}

            @Override
            public void onUnusable(String reason) {}

            @Override
            public void onLeft(Wire left) {}

            @Override
            public void onWireWanted() {}
        };
        return new Connection(
                0, peer, 2, new RegionTable(), lost -> {}, events, () -> {}, new LinkBuffers(1024, false));
    }

    private void pauseAndCall() {
        assertThat(membership.call(1)).isTrue();
        assertThat(membership.establish(1, false)).isTrue();
        membership.left(1);
        assertThat(membership.call(1)).isTrue();
    }

    @Test
    void aPeerThatAnswersThatItLeavesIsGoneWhenThePausedConnectionIsReadToItsEnd() {
        pauseAndCall();
        membership.endCall(1);
        assertThat(membership.leaves(1)).isFalse();
        assertThat(membership.unreported()).isEmpty();
        membership.read(1);
        assertThat(membership.unreported()).containsExactly(new Departure(1, FrameHandler.LEFT, false));
    }

    @Test
    void aPeerThatSaysGoodbyeAfterACallHasEndedIsGone() {
        pauseAndCall();
        membership.endCall(1);
        membership.read(1);
        assertThat(membership.leaves(1)).isTrue();
    }

    @Test
    void whoseCallHasComeToNothingMayBeCalledAgain() {
        pauseAndCall();
        assertThat(membership.call(1)).isFalse();
        membership.endCall(1);
        assertThat(membership.isCalling(1)).isFalse();
        assertThat(membership.call(1)).isTrue();
    }
}
