package org.galerna.link.ofi;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.galerna.link.CommunicationException;
import org.galerna.link.LinkOptions;
import org.galerna.link.Wireup;
import org.galerna.testkit.Fault;
import org.junit.jupiter.api.Test;

/** Little memory that may be locked, where there is an adapter: {@link OfiAdapterTest} runs it under its limit. */
class OfiLimitsSuite implements OfiSubject {
    @Override
    public String providerName() {
        return "verbs;ofi_rxm";
    }

    /** Under 64 KiB. */
    @Test
    @Fault(28)
    void whoMayLockHardlyAnyMemoryIsToldSo() {
        try (Wireup wireup = newJob(2).getFirst()) {
            assertThatThrownBy(() -> provider().open(wireup, LinkOptions.DEFAULT))
                    .isInstanceOf(CommunicationException.class)
                    .hasMessageContaining("rank 0 cannot use libfabric")
                    .hasMessageContaining("Cannot allocate memory; this process may lock 64 KiB of memory: ")
                    .hasMessageContaining("ulimit -l")
                    .hasMessageNotContaining("\n");
        }
    }
}
