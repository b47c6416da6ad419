package org.galerna.link.ofi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.galerna.device.Device;
import org.galerna.device.DeviceOptions;
import org.galerna.device.DeviceProvider;
import org.galerna.device.Devices;
import org.galerna.link.Wireup;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.testkit.DeviceContract;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The device over libfabric keeps what every device keeps. */
class OfidevTest extends DeviceContract {
    @BeforeEach
    void choose() throws Exception {
        OfiSubject.choose("tcp;ofi_rxm");
    }

    @AfterEach
    void forget() {
        System.clearProperty(OfiSubject.PROVIDER);
    }

    @Override
    public Device open(Wireup wireup, DeviceOptions options) {
        return Devices.open("ofidev", wireup, options);
    }

    @Override
    public List<InProcessWireup> newJob(int size) {
        return InProcessWireup.create(size, (rank, status, reason) -> {
            throw new AssertionError("rank " + rank + " aborts: " + reason);
        });
    }

    @Test
    void hasTwoNamesAndIsNotChosenUnasked() {
        assertThat(Devices.all()).extracting(DeviceProvider::name).contains("ofidev", "ugnidev");
        Wireup alone = newJob(1).getFirst();
        try (Device device = Devices.open(Devices.AUTO, alone)) {
            assertThat(device.name()).isEqualTo("smdev");
        }
        try (Device device = Devices.open("ugnidev", newJob(1).getFirst())) {
            assertThat(device.name()).isEqualTo("ugnidev");
        }
    }
}
