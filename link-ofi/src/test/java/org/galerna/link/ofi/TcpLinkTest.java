package org.galerna.link.ofi;

import org.galerna.testkit.link.LinkContract;
import org.junit.jupiter.api.Tag;

/** The contract of links over libfabric's provider {@code tcp}. */
@Tag("slow")
class TcpLinkTest extends LinkContract implements OfiSubject {
    @Override
    public String providerName() {
        return "tcp";
    }
}
