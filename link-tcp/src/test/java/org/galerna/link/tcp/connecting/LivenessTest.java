package org.galerna.link.tcp.connecting;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.galerna.link.Wireup;
import org.galerna.memory.Cpus;
import org.galerna.testkit.wireup.ForwardingWireup;
import org.galerna.testkit.wireup.TestJobs;
import org.junit.jupiter.api.Test;

/** When a rank begins to watch the next one, and how else it hears of that one's end. */
class LivenessTest {
    private static final Timing TIMING = new Timing(TimeUnit.SECONDS.toNanos(4), TimeUnit.SECONDS.toNanos(4));

    private final Map<Integer, String> ends = new HashMap<>();
    private final List<String> lost = new ArrayList<>();
    private final List<Integer> watched = new ArrayList<>();
    private boolean hasAddresses = true;

    private Liveness liveness(int ranks, boolean oneHost, Membership membership) {
        Wireup wireup = new ForwardingWireup(TestJobs.of(ranks).getFirst()) {
            @Override
            public boolean isOneHost() {
                return oneHost;
            }

            @Override
            public Optional<String> endOf(int rank) {
                return Optional.ofNullable(ends.get(rank));
            }
        };
        return new Liveness(
                wireup,
                membership,
                TIMING,
                (peer, reason) -> lost.add(peer + ": " + reason),
                (peer, nanos) -> {},
                peer -> hasAddresses,
                watched::add);
    }

    private static Membership membership(int ranks) {
        return new Membership(0, ranks, peer -> false, MembershipTest::connection);
    }

    private static int pulsesUntilWatch(Liveness liveness, List<Integer> watched) {
        int pulses = 0;
        while (watched.isEmpty()) {
            liveness.pulse();
            pulses++;
        }
        return pulses;
    }

    @Test
    void aRankWatchesTheNextOneAfterTwoPulses() {
        assertThat(pulsesUntilWatch(liveness(3, true, membership(3)), watched)).isEqualTo(2);
        assertThat(watched).containsOnly(1);
    }

    @Test
    void inACrowdOnOneHostItDoesSoLater() {
        int ranks = 16 * Cpus.ofMachine();
        assertThat(pulsesUntilWatch(liveness(ranks, true, membership(ranks)), watched))
                .isEqualTo(23);
    }

    @Test
    void asManyRanksOnSeveralHostsAreNoCrowd() {
        int ranks = 16 * Cpus.ofMachine();
        assertThat(pulsesUntilWatch(liveness(ranks, false, membership(ranks)), watched))
                .isEqualTo(2);
    }

    @Test
    void fourRanksOfAProcessorAreOneFewerThanACrowd() {
        assertThat(Liveness.spacing(4, 128)).isEqualTo(1);
        assertThat(Liveness.spacing(15, 2)).isEqualTo(1);
        assertThat(Liveness.spacing(16, 2)).isEqualTo(2);
        assertThat(Liveness.spacing(1024, 2)).isEqualTo(4);
    }

    @Test
    void nobodyIsWatchedWhoseAddressIsNotKnown() {
        hasAddresses = false;
        Liveness liveness = liveness(3, true, membership(3));
        for (int pulse = 0; pulse < 50; pulse++) {
            liveness.pulse();
        }
        assertThat(watched).isEmpty();
    }

    @Test
    void theNextRankIsLostOnceWhateverStartedTheJobSaysThatItHasEnded() {
        Liveness liveness = liveness(3, true, membership(3));
        ends.put(2, "it was killed"); // rank 1 says so for all
        liveness.pulse();
        assertThat(lost).isEmpty();
        ends.put(1, "it was killed");
        liveness.pulse();
        assertThat(lost).containsExactly("1: it was killed");
        assertThat(watched).isEmpty();
    }

    @Test
    void whatAnEndedRankHasSentIsReadFirst() {
        Membership membership = membership(3);
        assertThat(membership.call(1)).isTrue();
        assertThat(membership.establish(1, false)).isTrue();
        Liveness liveness = liveness(3, true, membership);
        ends.put(1, "it was killed");
        liveness.pulse();
        assertThat(lost).isEmpty();
        membership.read(1);
        liveness.pulse();
        assertThat(lost).containsExactly("1: it was killed");
    }
}
