package org.galerna.sockets;

import java.time.Duration;
import org.galerna.link.LinkProvider;
import org.galerna.testkit.Seeds;
import org.galerna.testkit.faulty.Faults;
import org.galerna.testkit.faulty.FaultyLinkProvider;

/** The same over a link that delays frames and refuses claims: not a byte is lost, or comes twice. */
class FaultyLinkConnectionTest extends LinkConnectionTest {
    @Override
    LinkProvider provider() {
        long seed = Seeds.next("FaultyLinkConnectionTest");
        return new FaultyLinkProvider("threads", rank -> Faults.slow(seed, Duration.ofNanos(200_000), 0.3));
    }
}
