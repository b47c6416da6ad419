package org.galerna.testkit.faulty;

import java.time.Duration;
import org.galerna.link.LinkProvider;
import org.galerna.testkit.Seeds;
import org.galerna.testkit.link.LinkContract;
import org.junit.jupiter.api.Tag;

/** Delays and back-pressure are no breach of the contract of links. */
@Tag("slow")
class SlowLinkTest extends LinkContract {
    @Override
    public LinkProvider provider() {
        long seed = Seeds.next("SlowLinkTest");
        return new FaultyLinkProvider("threads", rank -> Faults.slow(seed, Duration.ofNanos(200_000), 0.2));
    }

    /** Not kept: copies of frames that are held back are allocated. */
    @Override
    public void framesAllocateNothing() {
        // nothing to be checked
    }
}
