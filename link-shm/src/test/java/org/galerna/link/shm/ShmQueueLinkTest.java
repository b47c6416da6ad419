package org.galerna.link.shm;

import org.galerna.link.LinkProvider;
import org.galerna.link.support.PrivateRings;
import org.galerna.testkit.link.LinkContract;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** The contract of links where all ranks write to receive queues, and no pair has a ring. */
@Tag("slow")
class ShmQueueLinkTest extends LinkContract {
    @BeforeEach
    void onlyTheQueue() {
        System.setProperty(PrivateRings.PROPERTY, "0");
    }

    @AfterEach
    void asUsual() {
        System.clearProperty(PrivateRings.PROPERTY);
    }

    @Override
    public LinkProvider provider() {
        return LinkProvider.named("shm");
    }
}
