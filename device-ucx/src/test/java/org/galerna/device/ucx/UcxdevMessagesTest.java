package org.galerna.device.ucx;

import static org.assertj.core.api.Assertions.assertThat;

import org.galerna.device.Device;
import org.galerna.device.DeviceProvider;
import org.galerna.device.Devices;
import org.galerna.link.Wireup;
import org.galerna.testkit.device.DeviceMatching;
import org.galerna.testkit.device.DeviceMessages;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Messages of the device over UCX, which matches them. */
class UcxdevMessagesTest implements UcxdevSubject, DeviceMessages, DeviceMatching {
    @Test
    void hasTwoNamesAndIsNotChosenUnasked() {
        assertThat(Devices.all()).extracting(DeviceProvider::name).contains("ucxdev", "mxmdev");
        Wireup alone = newJob(1).getFirst();
        try (Device device = Devices.open(Devices.AUTO, alone)) {
            assertThat(device.name()).isEqualTo("smdev");
        }
    }

    @Override
    @Test
    @Tag("slow")
    public void largeMessagesTravelBothWaysAtOnce() {
        DeviceMessages.super.largeMessagesTravelBothWaysAtOnce();
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
    public void tenThousandPostedReceivesAreMetInAnyOrder() {
        DeviceMatching.super.tenThousandPostedReceivesAreMetInAnyOrder();
    }

    @Override
    @Test
    @Tag("slow")
    public void tenThousandUnexpectedMessagesAreReceivedInAnyOrder() {
        DeviceMatching.super.tenThousandUnexpectedMessagesAreReceivedInAnyOrder();
    }
}
