package org.galerna.testkit.link;

import org.galerna.link.LinkProvider;

class ThreadsLinkTest extends LinkContract {
    @Override
    public LinkProvider provider() {
        return LinkProvider.named("threads");
    }
}
