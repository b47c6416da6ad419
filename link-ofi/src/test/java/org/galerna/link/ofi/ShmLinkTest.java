package org.galerna.link.ofi;

import org.galerna.testkit.link.LinkContract;
import org.junit.jupiter.api.Tag;

/** The contract of links over libfabric's provider {@code shm}. */
@Tag("slow")
class ShmLinkTest extends LinkContract implements OfiSubject {
    @Override
    public String providerName() {
        return "shm";
    }
}
