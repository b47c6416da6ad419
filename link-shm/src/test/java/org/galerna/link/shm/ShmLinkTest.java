package org.galerna.link.shm;

import org.galerna.link.LinkProvider;
import org.galerna.testkit.link.LinkContract;

class ShmLinkTest extends LinkContract {
    @Override
    public LinkProvider provider() {
        return LinkProvider.named("shm");
    }
}
