package org.galerna.testkit.faulty;

import java.util.List;
import org.galerna.link.LinkProvider;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.testkit.LinkContract;
import org.junit.jupiter.api.Tag;

/** A faulty link that is told to do nothing keeps the contract of links. */
@Tag("slow")
class FaultyLinkTest extends LinkContract {
    @Override
    public LinkProvider provider() {
        return new FaultyLinkProvider("threads", rank -> Faults.NONE);
    }

    @Override
    public List<InProcessWireup> newJob(int size) {
        return InProcessWireup.create(size, (rank, status, reason) -> {
            throw new AssertionError("rank " + rank + " aborts: " + reason);
        });
    }
}
