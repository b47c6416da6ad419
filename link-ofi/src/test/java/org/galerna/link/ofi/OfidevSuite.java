package org.galerna.link.ofi;

import org.galerna.testkit.device.DeviceContract;

/** The contract of devices, where there is an adapter: {@link OfiAdapterTest} runs it. */
class OfidevSuite extends DeviceContract implements OfidevSubject {
    @Override
    public String providerName() {
        return "verbs;ofi_rxm";
    }
}
