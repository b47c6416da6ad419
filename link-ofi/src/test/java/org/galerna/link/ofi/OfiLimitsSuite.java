package org.galerna.link.ofi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.api.AbstractThrowableAssert;
import org.galerna.link.CommunicationException;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.Wireup;
import org.galerna.testkit.Fault;
import org.junit.jupiter.api.Test;

/** Little memory that may be locked, where there is an adapter: {@link OfiAdapterTest} runs each test under its limit. */
class OfiLimitsSuite implements OfiSubject {
    @Override
    public String providerName() {
        return "verbs;ofi_rxm";
    }

    private AbstractThrowableAssert<?, ?> assertRefused(Wireup wireup) {
        return assertThatThrownBy(() -> provider().open(wireup, LinkOptions.DEFAULT))
                .isInstanceOf(CommunicationException.class)
                .hasMessageContaining("rank 0 cannot use libfabric")
                .hasMessageContaining("ulimit -l")
                .hasMessageNotContaining("\n");
    }

    /** Under 64 KiB. */
    @Test
    @Fault(28)
    void whoMayLockHardlyAnyMemoryIsToldSo() {
        try (Wireup wireup = newJob(2).getFirst()) {
            assertRefused(wireup)
                    .hasMessageContaining("Cannot allocate memory; this process may lock 64 KiB of memory: ");
        }
    }

    /** Under 72 MiB: enough for receives, and not for sends, for which the library locks memory with the first message. */
    @Test
    @Fault(28)
    void whoMayLockTooLittleToSendIsToldSoBeforehand() {
        try (Wireup wireup = newJob(2).getFirst()) {
            assertRefused(wireup)
                    .hasMessageContaining(
                            "for sends has failed: Cannot allocate memory; this process may lock 73728 KiB of memory: ");
        }
    }

    /** Under 156 MiB: enough for the receives of two ranks, and for the sends of one. */
    @Test
    @Fault(28)
    void ranksOfOneProcessThatMayLockTooLittleTogetherAreToldSo() {
        try (Wireup first = newJob(1).getFirst();
                Wireup second = newJob(1).getFirst()) {
            for (int round = 0; round < 2; round++) {
                try (Link link = provider().open(first, LinkOptions.DEFAULT)) {
                    assertThat(link.unreachable(0)).isEmpty();
                    assertRefused(second).hasMessageContaining("for sends has failed: ");
                }
            }
            provider().open(second, LinkOptions.DEFAULT).close();
        }
    }

    /** Under 168 MiB: a rank locks 83 MiB, and a quarter of one for each peer. */
    @Test
    @Fault(28)
    void whoMayLockAsMuchAsIsNeededTalks() {
        runJob(2, rank -> {
            int peer = 1 - rank.rank();
            rank.send(peer, 8000, 1);
            rank.expect(peer, 8000, 1);
        });
    }
}
