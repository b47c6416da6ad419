package org.galerna.testkit.wireup;

import java.util.List;
import org.galerna.link.wireup.InProcessWireup;

/** Jobs whose ranks run in this JVM, and which no rank is to abort. */
public final class TestJobs {
    private TestJobs() {}

    /** Wire-ups of a new job, in the order of its ranks. A rank that aborts the job gets an {@link AssertionError}. */
    public static List<InProcessWireup> of(int size) {
        return InProcessWireup.create(size, (rank, status, reason) -> {
            throw new AssertionError("rank " + rank + " aborts: " + reason);
        });
    }
}
