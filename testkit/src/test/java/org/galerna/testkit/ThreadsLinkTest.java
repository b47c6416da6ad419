package org.galerna.testkit;

import java.util.List;
import org.galerna.link.LinkProvider;
import org.galerna.link.wireup.InProcessWireup;

class ThreadsLinkTest extends LinkContract {
    @Override
    public LinkProvider provider() {
        return LinkProvider.named("threads");
    }

    @Override
    public List<InProcessWireup> newJob(int size) {
        return InProcessWireup.create(size, (rank, status, reason) -> {
            throw new AssertionError("rank " + rank + " aborts: " + reason);
        });
    }
}
