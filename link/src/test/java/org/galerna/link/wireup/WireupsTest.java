package org.galerna.link.wireup;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import org.galerna.link.Wireup;
import org.junit.jupiter.api.Test;

class WireupsTest {
    private final Wireup wireup =
            InProcessWireup.create(1, (rank, status, reason) -> {}).get(0);
    private final Wireup other =
            InProcessWireup.create(1, (rank, status, reason) -> {}).get(0);

    @Test
    void findsTheWireupOfTheNearestLoader() throws Exception {
        try (URLClassLoader rank = new URLClassLoader(new URL[0], WireupsTest.class.getClassLoader());
                URLClassLoader below = new URLClassLoader(new URL[0], rank);
                URLClassLoader neighbour = new URLClassLoader(new URL[0], WireupsTest.class.getClassLoader())) {
            Wireups.bind(rank, wireup);
            assertThat(Wireups.find(rank)).containsSame(wireup);
            assertThat(Wireups.find(below)).containsSame(wireup);
            assertThat(Wireups.find(neighbour)).isEmpty();

            Wireups.bind(below, other);
            assertThat(Wireups.find(below)).containsSame(other);
            assertThat(Wireups.find(rank)).containsSame(wireup);

            Wireups.bind(rank, other);
            assertThat(Wireups.find(rank)).as("the later one").containsSame(other);

            Wireups.unbind(below);
            Wireups.unbind(rank);
            Wireups.unbind(rank);
            assertThat(Wireups.find(below)).isEmpty();
        }
    }
}
