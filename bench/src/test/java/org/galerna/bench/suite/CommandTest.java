package org.galerna.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandTest {
    @ParameterizedTest
    @ValueSource(strings = {"latency 1 20000 0", "percentiles latency 4194304 10 0", "rate 8 1000 64"})
    void linesAreReadAsTheyAreWritten(String line) {
        assertThat(Command.parse(line).toLine()).isEqualTo(line);
    }

    @Test
    void theNameIsAllThatComesBeforeTheNumbers() {
        assertThat(Command.parse("percentiles latency 8 9 10")).isEqualTo(new Command("percentiles latency", 8, 9, 10));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "quit", "1 2 3", "latency 1 2", "latency 1 two 3", "latency 1 2 99999999999"})
    void otherLinesAreRefused(String line) {
        assertThatThrownBy(() -> Command.parse(line))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"" + line + "\"");
    }

    @Test
    void answersAreReadAsTheyAreWritten() {
        assertThat(Answer.of(1234567, 0.25).toLine()).isEqualTo("ok 1234567 0.25");
        assertThat(Answer.parse("ok 1234567 0.25")).isEqualTo(Answer.of(1234567, 0.25));
        assertThat(Answer.parse("no two ranks only")).isEqualTo(new Answer.Refused("two ranks only"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ok", "yes 1", "ok one"})
    void otherAnswersAreRefused(String line) {
        assertThatThrownBy(() -> Answer.parse(line)).isInstanceOf(IllegalArgumentException.class);
    }
}
