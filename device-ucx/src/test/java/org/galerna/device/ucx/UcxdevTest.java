package org.galerna.device.ucx;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.galerna.device.Device;
import org.galerna.device.DeviceOptions;
import org.galerna.device.DeviceProvider;
import org.galerna.device.Devices;
import org.galerna.link.Wireup;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.nativeaccess.ucx.UcxLibrary;
import org.galerna.testkit.DeviceContract;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The device over UCX keeps what every device keeps. */
class UcxdevTest extends DeviceContract {
    @BeforeAll
    static void needsTheLibrary() {
        UcxLibrary.unavailable().ifPresent(Assumptions::abort);
    }

    @Override
    public Device open(Wireup wireup, DeviceOptions options) {
        return Devices.open(UcxDeviceProvider.NAME, wireup, options);
    }

    @Override
    public List<InProcessWireup> newJob(int size) {
        return InProcessWireup.create(size, (rank, status, reason) -> {
            throw new AssertionError("rank " + rank + " aborts: " + reason);
        });
    }

    @Test
    void hasTwoNamesAndIsNotChosenUnasked() {
        assertThat(Devices.all()).extracting(DeviceProvider::name).contains("ucxdev", "mxmdev");
        Wireup alone = newJob(1).getFirst();
        try (Device device = Devices.open(Devices.AUTO, alone)) {
            assertThat(device.name()).isEqualTo("smdev");
        }
    }
}
