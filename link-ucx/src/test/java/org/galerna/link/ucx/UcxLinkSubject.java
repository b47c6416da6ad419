package org.galerna.link.ucx;

import java.util.List;
import org.galerna.link.LinkProvider;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.nativeaccess.ucx.UcxWorker;
import org.galerna.testkit.link.LinkSubject;
import org.galerna.testkit.wireup.TestJobs;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;

/** Links over UCX, of ranks that are threads. */
interface UcxLinkSubject extends LinkSubject {
    @BeforeAll
    static void needsTheLibrary() {
        UcxWorker.unavailable().ifPresent(Assumptions::abort);
    }

    @Override
    default LinkProvider provider() {
        return LinkProvider.named(UcxLink.NAME);
    }

    @Override
    default boolean refusesForgedDescriptors() {
        return false; // UCX reads what the adapter or the system lets it read
    }

    @Override
    default List<InProcessWireup> newJob(int size) {
        return TestJobs.of(size);
    }
}
