package org.galerna.link.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.galerna.link.CommunicationException;
import org.galerna.link.Descriptor;
import org.galerna.link.LinkOptions;
import org.galerna.link.Region;
import org.galerna.link.Wireup;
import org.galerna.link.transfer.RemoteRegion;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Payload;
import org.junit.jupiter.api.Test;

/** Little memory that may be locked, where there is an adapter: {@link AdapterTest} runs each test under its limit. */
class VerbsLimitsSuite implements VerbsSubject {
    private static final int LARGE = 24 << 20;

    /** Under 64 KiB. */
    @Test
    @Fault(28)
    void whoMayLockHardlyAnyMemoryIsToldSo() {
        try (Wireup wireup = newJob(2).getFirst()) {
            assertThatThrownBy(() -> provider().open(wireup, LinkOptions.DEFAULT))
                    .isInstanceOf(CommunicationException.class)
                    .hasMessageContaining("rank 0 cannot use verbs")
                    .hasMessageContaining("ulimit -l");
        }
    }

    /** Under 12 MiB: enough for the queues of two ranks, and too little for a large message. */
    @Test
    @Fault(28)
    void whatMayNotBeLockedGoesThroughBuffersThatAre() {
        runJob(2, rank -> {
            try (Arena arena = Arena.ofShared()) {
                MemorySegment memory = arena.allocate(LARGE, 64);
                if (rank.rank() == 1) {
                    Payload.fill(memory, 0, LARGE, 7);
                    try (Region region = rank.link().rma().register(memory)) {
                        assertThat(RemoteRegion.read(Descriptor.of(region)).kind())
                                .isEqualTo(RemoteRegion.SERVED);
                        rank.sendRegion(0, region);
                        rank.receiveLong(0);
                    }
                    return;
                }
                Descriptor region = rank.receiveRegion(1);
                boolean[] over = new boolean[1];
                rank.link().rma().get(1, region, 0, memory, failure -> {
                    assertThat(failure).isNull();
                    over[0] = true;
                });
                rank.pollUntil("the transfer", () -> over[0]);
                assertThat(Payload.difference(memory, 0, LARGE, 7)).isEmpty();
                rank.sendLong(1, 0);
            }
        });
    }
}
