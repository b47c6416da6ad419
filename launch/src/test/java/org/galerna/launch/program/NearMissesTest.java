package org.galerna.launch.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearMissesTest {
    @Test
    void theNearestComeFirst() {
        List<String> candidates = List.of("b.Helo", "a.Hello", "a.package-info", "a.Help", "Unrelated", "c.hello");
        assertThat(NearMisses.similar("Hello", candidates)).containsExactly("a.Hello", "c.hello", "b.Helo");
        assertThat(NearMisses.similar("x.Y", candidates)).isEmpty();
    }
}
