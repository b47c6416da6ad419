package org.galerna.link.ofi.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import org.galerna.link.LinkOptions;
import org.galerna.link.ofi.wire.Word;
import org.junit.jupiter.api.Test;

class SizesTest {
    private static final int MANY = 1 << 20;

    private static Sizes of(int ranks) {
        return Sizes.of(LinkOptions.DEFAULT, ranks, MANY, Integer.MAX_VALUE);
    }

    @Test
    void smallJobsHaveAReceiveForEachMessageThatPeersHaveCreditFor() {
        for (int ranks : new int[] {2, 8, 9, 32, 33, 200}) {
            assertThat(of(ranks).receives())
                    .isGreaterThanOrEqualTo((ranks - 1) * of(ranks).credits());
            assertThat(of(ranks).credits()).isLessThanOrEqualTo(Word.MOST_CREDITS);
        }
    }

    @Test
    void largeJobsShareReceivesOfBoundedMemory() {
        assertThat(of(10_000)).isEqualTo(of(1_000_000 >> 5));
        assertThat((long) of(10_000).receives() * of(10_000).slotBytes()).isLessThanOrEqualTo(64 << 20);
        assertThat(of(10_000).receives()).isGreaterThan(1000);
    }

    @Test
    void aProviderMayTakeLess() {
        Sizes small = Sizes.of(LinkOptions.DEFAULT, 8, 100, 4096);
        assertThat(small.receives()).isEqualTo(100);
        assertThat(small.slotBytes()).isEqualTo(4096);
    }
}
