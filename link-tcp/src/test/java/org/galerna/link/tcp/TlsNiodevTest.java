package org.galerna.link.tcp;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** The whole contract of devices, over TLS. */
@Tag("slow")
@ExtendWith(TlsProperties.class)
class TlsNiodevTest extends NiodevTest {
    /** Not a test here: the engine of TLS allocates for every record. */
    @Override
    public void blockingMessagesBelowTheEagerLimitAllocateNothing() {
        throw new IllegalStateException("not for TLS");
    }
}
