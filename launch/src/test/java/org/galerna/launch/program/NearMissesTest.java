package org.galerna.launch.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearMissesTest {
    @ParameterizedTest
    @CsvSource({"'','',0", "abc,abc,0", "abc,abd,1", "abc,abcd,1", "abc,bc,1", "kitten,sitting,3", "'',abc,3"})
    void distanceCountsLetters(String one, String other, int distance) {
        assertThat(NearMisses.distance(one, other)).isEqualTo(distance);
        assertThat(NearMisses.distance(other, one)).isEqualTo(distance);
    }

    @Test
    void theNearestComeFirst() {
        List<String> candidates = List.of("b.Helo", "a.Hello", "a.package-info", "a.Help", "Unrelated", "c.hello");
        assertThat(NearMisses.similar("Hello", candidates)).containsExactly("a.Hello", "c.hello", "b.Helo");
        assertThat(NearMisses.similar("x.Y", candidates)).isEmpty();
    }
}
