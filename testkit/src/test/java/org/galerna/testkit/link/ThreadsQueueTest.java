package org.galerna.testkit.link;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.galerna.link.LinkProvider;
import org.galerna.link.support.PrivateRings;
import org.junit.jupiter.api.Test;

class ThreadsQueueTest extends LinkQueueContract {
    @Override
    public LinkProvider provider() {
        return LinkProvider.named("threads");
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
