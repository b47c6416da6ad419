package org.galerna.link.ucx;

import java.util.List;
import org.galerna.link.LinkProvider;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.nativeaccess.ucx.UcxWorker;
import org.galerna.testkit.link.LinkContract;
import org.galerna.testkit.wireup.TestJobs;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The link over UCX keeps what every link keeps. */
@Tag("slow")
class UcxLinkTest extends LinkContract {
    @BeforeAll
    static void needsTheLibrary() {
        UcxWorker.unavailable().ifPresent(Assumptions::abort);
    }

    @Override
    public LinkProvider provider() {
        return LinkProvider.named(UcxLink.NAME);
    }

    @Override
    public boolean refusesForgedDescriptors() {
        return false; // UCX reads what the adapter or the system lets it read
    }

    @Override
    public List<InProcessWireup> newJob(int size) {
        return TestJobs.of(size);
    }
}
