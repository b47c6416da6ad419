package org.galerna.link.ofi;

import org.galerna.testkit.link.LinkContract;
import org.junit.jupiter.api.Tag;

/** The contract of links over libfabric's provider {@code tcp;ofi_rxm}; that of devices is in the fast tier. */
@Tag("slow")
class RxmLinkTest extends LinkContract implements OfiSubject {
    @Override
    public String providerName() {
        return "tcp;ofi_rxm";
    }
}
