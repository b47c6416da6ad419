package org.galerna.link.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.Wireup;
import org.galerna.link.wireup.ControlWireup;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.testkit.RankThreads;
import org.galerna.testkit.link.LinkRank;
import org.galerna.testkit.wireup.TestJobs;
import org.junit.jupiter.api.Test;

/** Ranks that are attached to one network several times at once. */
class AttachmentsTest {
    private static final int RANKS = 3;

    @Test
    void linksThatTwoOfThreeRanksHaveForControlDoNotMixWithThoseOfAllRanks() {
        List<InProcessWireup> job = TestJobs.of(RANKS);
        LinkProvider tcp = LinkProvider.named("tcp");
        RankThreads.run(RANKS, me -> {
            Wireup wireup = job.get(me);
            Link control = me < 2 ? tcp.open(ControlWireup.next(wireup, "adapters"), LinkOptions.DEFAULT) : null;
            try (LinkRank rank = LinkRank.open(tcp, job.get(me), LinkOptions.DEFAULT)) {
                wireup.fence();
                if (control != null) {
                    assertThat(control.unreachable(1 - me)).isEmpty();
                }
                wireup.fence();
                for (int peer = 0; peer < RANKS; peer++) {
                    rank.send(peer, 8, 10 * me + peer);
                }
                for (int peer = 0; peer < RANKS; peer++) {
                    rank.expect(peer, 8, 10 * peer + me);
                }
                rank.barrier();
            } finally {
                if (control != null) {
                    control.close();
                }
            }
        });
    }

    @Test
    void aControlLinkHasTheNameOfAJobOfItsOwn() {
        InProcessWireup wireup = TestJobs.of(1).getFirst();
        String first = ControlWireup.next(wireup, "adapters").job();
        String second = ControlWireup.next(wireup, "adapters").job();
        assertThat(List.of(wireup.job(), first, second)).doesNotHaveDuplicates();
        assertThat(ControlWireup.next(TestJobs.of(1).getFirst(), "adapters").job())
                .isNotEqualTo(first);
    }
}
