package org.galerna.link.tcp;

import java.util.List;
import org.galerna.link.wireup.InProcessWireup;

/** Jobs whose ranks run in this JVM. */
final class TestJobs {
    private TestJobs() {}

    static List<InProcessWireup> create(int size) {
        return InProcessWireup.create(size, (rank, status, reason) -> {
            throw new AssertionError("rank " + rank + " aborts: " + reason);
        });
    }
}
