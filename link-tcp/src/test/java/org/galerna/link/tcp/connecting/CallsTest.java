package org.galerna.link.tcp.connecting;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.galerna.link.tcp.handshake.Hello;
import org.junit.jupiter.api.Test;

/** Whose turn it is to be called. */
class CallsTest {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(4);
    private static final int RANK = 10;

    private final Calls calls = new Calls(RANK);

    private Call call(int peer, int purpose, long now) {
        Call call = new Call(peer, purpose, 0, List.of(new InetSocketAddress(0)), now, PATIENCE);
        calls.add(call);
        return call;
    }

    private List<Integer> next(long now) {
        List<Integer> peers = new ArrayList<>();
        Call call;
        while ((call = calls.next(now)) != null) {
            peers.add(call.peer);
        }
        return peers;
    }

    @Test
    void ofManyCallsAFewAreMadeAtOnceAndThoseThatMayComeInComeLast() {
        List<Call> made = new ArrayList<>();
        for (int peer = 0; peer < 20; peer++) {
            Call call = call(peer, Hello.CONNECT, 0);
            if (calls.takeTurn(call, 0)) {
                made.add(call);
            }
        }
        assertThat(made).hasSize(4);
        assertThat(next(1)).as("nobody has answered").isEmpty();
        made.forEach(calls::remove);
        assertThat(next(2)).containsExactly(10, 11, 12, 13);
        calls.connecting().stream().filter(each -> each.hasTurn).forEach(calls::remove);
        assertThat(next(3)).containsExactly(14, 15, 16, 17);
        calls.connecting().stream().filter(each -> each.hasTurn).forEach(calls::remove);
        assertThat(next(4)).as("the lower ranks, which may have called").containsExactly(18, 19, 4, 5);
    }

    @Test
    void peersThatDoNotAnswerDoNotKeepOthersFromBeingCalled() {
        for (int peer = 0; peer < 4; peer++) {
            assertThat(calls.takeTurn(call(peer, Hello.CONNECT, 0), 0)).isTrue();
        }
        Call waiting = call(11, Hello.CONNECT, 0);
        assertThat(calls.takeTurn(waiting, 0)).isFalse();
        calls.expire(TimeUnit.MILLISECONDS.toNanos(400));
        assertThat(calls.next(0)).isNull();
        calls.expire(TimeUnit.MILLISECONDS.toNanos(500));
        assertThat(calls.next(0)).isSameAs(waiting);
        assertThat(calls.connecting(0)).as("goes on").isNotNull();
    }

    @Test
    void theTimeOfACallBeginsWithItsTurn() {
        Call call = call(11, Hello.CONNECT, 0);
        long later = 10 * PATIENCE;
        call.begin(later);
        assertThat(call.deadline - later).isEqualTo(PATIENCE);
        assertThat(call.due).isEqualTo(later);
    }

    @Test
    void aCallThatIsNotWantedAnyMoreLosesItsTurn() {
        List<Call> made = new ArrayList<>();
        for (int peer = 11; peer < 17; peer++) {
            Call call = call(peer, Hello.CONNECT, 0);
            if (calls.takeTurn(call, 0)) {
                made.add(call);
            }
        }
        Call queued = calls.connecting(15);
        assertThat(queued).isNotNull();
        if (queued != null) {
            calls.remove(queued);
        }
        made.forEach(calls::remove);
        assertThat(next(1)).containsExactly(16);
        assertThat(calls.isEmpty()).isFalse();
    }
}
