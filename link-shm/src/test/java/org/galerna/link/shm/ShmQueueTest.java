package org.galerna.link.shm;

import org.galerna.link.LinkProvider;
import org.galerna.testkit.link.LinkQueueContract;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class ShmQueueTest extends LinkQueueContract {
    @Override
    public LinkProvider provider() {
        return LinkProvider.named("shm");
    }
}
