package org.galerna.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.galerna.link.LinkProvider;
import org.galerna.link.support.PrivateRings;
import org.galerna.link.wireup.InProcessWireup;
import org.junit.jupiter.api.Test;

class ThreadsQueueTest extends LinkQueueContract {
    @Override
    public LinkProvider provider() {
        return LinkProvider.named("threads");
    }

    @Override
    public List<InProcessWireup> newJob(int size) {
        return InProcessWireup.create(size, (rank, status, reason) -> {
            throw new AssertionError("rank " + rank + " aborts: " + reason);
        });
    }

    @Test
    void aNumberOfRingsThatCannotBeIsNamed() {
        for (String wrong : new String[] {"-1", "many", "65537"}) {
            System.setProperty(PrivateRings.PROPERTY, wrong);
            assertThatThrownBy(() -> PrivateRings.of(4))
                    .hasMessageContaining(PrivateRings.PROPERTY)
                    .hasMessageContaining(wrong);
        }
    }
}
