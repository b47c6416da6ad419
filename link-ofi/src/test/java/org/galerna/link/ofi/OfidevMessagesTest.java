package org.galerna.link.ofi;

import static org.assertj.core.api.Assertions.assertThat;

import org.galerna.device.Device;
import org.galerna.device.DeviceProvider;
import org.galerna.device.Devices;
import org.galerna.link.Wireup;
import org.galerna.testkit.device.DeviceLeaving;
import org.galerna.testkit.device.DeviceMessages;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Messages of the device over libfabric, and ranks that leave. */
class OfidevMessagesTest implements OfidevSubject, DeviceMessages, DeviceLeaving {
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

    @Override
    @Test
    @Tag("slow")
    public void anyEagerLimitAndCreditCarryEveryMessage() {
        DeviceMessages.super.anyEagerLimitAndCreditCarryEveryMessage();
    }

    @Override
    @Test
    @Tag("slow")
    public void ranksOnVirtualThreadsTalk() {
        DeviceMessages.super.ranksOnVirtualThreadsTalk();
    }

    @Override
    @Test
    @Tag("slow")
    public void ranksMayJoinAndLeaveAgainAndAgain() {
        DeviceLeaving.super.ranksMayJoinAndLeaveAgainAndAgain();
    }
}
