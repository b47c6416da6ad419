package org.galerna.cli.usage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TypedCommandTest {
    @Test
    void wordsThatAShellWouldSplitAreQuoted() {
        assertThat(TypedCommand.of(List.of("galerna", "bench", "--sizes", "1..4M", "--title", "Two cores", "it's", "")))
                .isEqualTo("galerna bench --sizes 1..4M --title 'Two cores' 'it'\\''s' ''");
    }
}
