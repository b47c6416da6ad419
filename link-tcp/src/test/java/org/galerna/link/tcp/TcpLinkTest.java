package org.galerna.link.tcp;

import java.util.List;
import org.galerna.link.LinkProvider;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.testkit.link.LinkContract;
import org.galerna.testkit.wireup.TestJobs;

class TcpLinkTest extends LinkContract {
    @Override
    public LinkProvider provider() {
        return LinkProvider.named("tcp");
    }

    @Override
    public List<InProcessWireup> newJob(int size) {
        return TestJobs.of(size);
    }
}
