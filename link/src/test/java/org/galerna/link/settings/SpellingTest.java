package org.galerna.link.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpellingTest {
    @ParameterizedTest
    @CsvSource({
        "'','',0",
        "abc,abc,0",
        "abc,abd,1",
        "abc,abcd,1",
        "abc,bc,1",
        "abc,acb,1",
        "abcd,badc,2",
        "kitten,sitting,3",
        "'',abc,3"
    })
    void distanceCountsLetters(String one, String other, int distance) {
        assertThat(Spelling.distance(one, other)).isEqualTo(distance);
        assertThat(Spelling.distance(other, one)).isEqualTo(distance);
    }

    @Test
    void theNearestIsFoundIfItIsNear() {
        List<String> known = List.of("eager.limit", "eager.credit", "turn");
        assertThat(Spelling.nearest("Eager.Limits", known)).contains("eager.limit");
        assertThat(Spelling.nearest("eager", known)).contains("eager.limit");
        assertThat(Spelling.nearest("colour", known)).isEmpty();
        assertThat(Spelling.didYouMean("trun", known)).isEqualTo("; did you mean turn?");
        assertThat(Spelling.didYouMean("x", known)).isEmpty();
    }
}
