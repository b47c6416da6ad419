package org.galerna.link.tcp;

import java.util.List;
import org.galerna.link.LinkProvider;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.testkit.link.LinkContract;
import org.galerna.testkit.wireup.TestJobs;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class UnixLinkTest extends LinkContract {
    @Override
    public LinkProvider provider() {
        return LinkProvider.named("unix");
    }

    @Override
    public List<InProcessWireup> newJob(int size) {
        return TestJobs.of(size);
    }
}
