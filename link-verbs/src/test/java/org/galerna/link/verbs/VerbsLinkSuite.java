package org.galerna.link.verbs;

import java.util.List;
import org.galerna.link.InProcessWireup;
import org.galerna.link.LinkProvider;
import org.galerna.link.Wireup;
import org.galerna.testkit.LinkContract;

/** The contract of links, where there is an adapter: {@link AdapterTest} runs it. */
class VerbsLinkSuite extends LinkContract {
    @Override
    public LinkProvider provider() {
        return new VerbsLinkProvider();
    }

    @Override
    public List<? extends Wireup> newJob(int size) {
        return InProcessWireup.create(size, (rank, status, reason) -> {
            throw new AssertionError("rank " + rank + " aborts: " + reason);
        });
    }
}
