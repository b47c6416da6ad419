package org.galerna.device.ucx;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.galerna.device.DeviceException;
import org.galerna.device.DeviceOptions;
import org.galerna.link.Wireup;
import org.galerna.testkit.Fault;
import org.junit.jupiter.api.Test;

/** Little memory that may be locked, where there is an adapter: {@link UcxAdapterTest} runs it under its limit. */
class UcxLimitsSuite implements UcxdevSubject {
    /** Under 64 KiB. */
    @Test
    @Fault(28)
    void whoMayLockHardlyAnyMemoryIsToldSo() {
        try (Wireup wireup = newJob(2).getFirst()) {
            assertThatThrownBy(() -> open(wireup, DeviceOptions.DEFAULT))
                    .isInstanceOf(DeviceException.class)
                    .hasMessageContaining("ulimit -l");
        }
    }
}
