package org.galerna.testkit.faulty;

import org.galerna.link.LinkProvider;
import org.galerna.testkit.link.LinkContract;
import org.junit.jupiter.api.Tag;

/** A faulty link that is told to do nothing keeps the contract of links. */
@Tag("slow")
class FaultyLinkTest extends LinkContract {
    @Override
    public LinkProvider provider() {
        return new FaultyLinkProvider("threads", rank -> Faults.NONE);
    }
}
