package org.galerna.link.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.galerna.link.CommunicationException;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.Wireup;
import org.galerna.testkit.RankThreads;
import org.galerna.testkit.link.LinkRank;
import org.galerna.testkit.wireup.ForwardingWireup;
import org.galerna.testkit.wireup.TestJobs;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks of one host, who know without asking what all have published alike. */
class OneHostTest {
    private static final int RANKS = 3;

    /** Remembers whose addresses are asked for. */
    private static final class OfOneHost extends ForwardingWireup {
        private final Set<Integer> asked = new ConcurrentSkipListSet<>();
        private final boolean differs;

        OfOneHost(Wireup real, boolean differs) {
            super(real);
            this.differs = differs;
        }

        @Override
        public boolean isOneHost() {
            return true;
        }

        @Override
        public void put(String key, byte[] value) {
            super.put(key, differs && key.endsWith(".place") ? Arrays.copyOf(value, value.length + 1) : value);
        }

        @Override
        public Optional<byte[]> common(String key) {
            try {
                byte[] own = super.get(rank(), key);
                for (int rank = 0; rank < size(); rank++) {
                    if (!Arrays.equals(own, super.get(rank, key))) {
                        return Optional.empty();
                    }
                }
                return Optional.of(own);
            } catch (CommunicationException nothing) {
                return Optional.empty();
            }
        }

        @Override
        public byte[] get(int rank, String key) {
            if (rank != rank()) {
                asked.add(rank);
            }
            return super.get(rank, key);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "unix"})
    void nobodyAsksForTheAddressOfAPeerBeforeTheFirstCall(String link) {
        List<OfOneHost> job = TestJobs.of(RANKS).stream()
                .map(rank -> new OfOneHost(rank, false))
                .toList();
        RankThreads.run(RANKS, me -> {
            OfOneHost wireup = job.get(me);
            try (LinkRank rank = LinkRank.open(LinkProvider.named(link), wireup, LinkOptions.DEFAULT)) {
                assertThat(rank.link().reachesAll()).isTrue();
                int next = (me + 1) % RANKS;
                // which a rank calls by itself a second after its start, to watch over it
                assertThat(wireup.asked).isSubsetOf(Set.of(next));
                rank.send(next, 8, me);
                rank.expect((me + RANKS - 1) % RANKS, 8, (me + RANKS - 1) % RANKS);
                assertThat(wireup.asked).contains(next);
                rank.barrier();
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "unix"})
    void whereOneIsSomewhereElseEachAddressIsLookedAt(String link) {
        List<OfOneHost> job = TestJobs.of(RANKS).stream()
                .map(rank -> new OfOneHost(rank, rank.rank() == 1))
                .toList();
        RankThreads.run(RANKS, me -> {
            OfOneHost wireup = job.get(me);
            try (LinkRank rank = LinkRank.open(LinkProvider.named(link), wireup, LinkOptions.DEFAULT)) {
                assertThat(rank.link().reachesAll()).isFalse();
                wireup.fence();
            }
        });
    }
}
