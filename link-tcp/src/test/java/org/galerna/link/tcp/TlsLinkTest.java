package org.galerna.link.tcp;

import java.time.Duration;
import org.galerna.testkit.RankThreads;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** The whole contract of links, over TLS. */
@Tag("slow")
@ExtendWith(TlsProperties.class)
class TlsLinkTest extends TcpLinkTest {
    /** Ciphers take seconds of both processors, of which a machine that builds at the same time leaves a tenth. */
    @Override
    public Duration limit() {
        return RankThreads.LIMIT.multipliedBy(5);
    }
}
