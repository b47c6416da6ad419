package org.galerna.link.shm;

import java.util.List;
import org.galerna.link.LinkProvider;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.testkit.LinkQueueContract;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class ShmQueueTest extends LinkQueueContract {
    @Override
    public LinkProvider provider() {
        return LinkProvider.named("shm");
    }

    @Override
    public List<InProcessWireup> newJob(int size) {
        return InProcessWireup.create(size, (rank, status, reason) -> {
            throw new AssertionError("rank " + rank + " aborts: " + reason);
        });
    }
}
