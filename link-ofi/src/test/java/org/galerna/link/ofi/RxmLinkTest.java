package org.galerna.link.ofi;

import org.galerna.testkit.LinkContract;

/** The contract of links over libfabric's provider {@code tcp;ofi_rxm}. */
class RxmLinkTest extends LinkContract implements OfiSubject {
    @Override
    public String providerName() {
        return "tcp;ofi_rxm";
    }
}
