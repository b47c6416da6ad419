package org.galerna.device.ucx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.galerna.device.DeviceException;
import org.galerna.device.DeviceOptions;
import org.galerna.nativeaccess.ucx.UcxWorker;
import org.galerna.testkit.Fault;
import org.junit.jupiter.api.Test;

/** Little memory that may be locked, where there is an adapter: {@link UcxAdapterTest} runs it under its limit. */
class UcxLimitsSuite implements UcxdevSubject {
    @Test
    @Fault(28)
    void whoMayLockHardlyAnyMemoryIsToldSo() {
        assertThatThrownBy(() -> open(newJob(1).getFirst(), DeviceOptions.fromSystemProperties()))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("device ucxdev cannot be used: UCX: ")
                .hasMessageContaining("rxe0:1 need")
                .hasMessageContaining("ulimit -l");
        assertThat(UcxWorker.unavailable().orElseThrow()).contains("ulimit -l", "UCX_TLS=tcp,sm,self");
    }
}
