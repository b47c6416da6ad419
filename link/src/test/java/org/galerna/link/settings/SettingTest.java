package org.galerna.link.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettingTest {
    private static final String NAME = "galerna.test.setting";
    private static final Setting<Integer> NUMBER = Setting.number(NAME, 7, 0, 64, "what it is for");

    private enum Colour {
        RED,
        GREEN
    }

    @AfterEach
    void unset() {
        System.clearProperty(NAME);
    }

    @Test
    void hasItsDefaultUnlessItIsSet() {
        assertThat(NUMBER.isSet()).isFalse();
        assertThat(NUMBER.get()).isEqualTo(7);
        System.setProperty(NAME, " 64 ");
        assertThat(NUMBER.get()).isEqualTo(64);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "many", "-1", "65", "1.5", "99999999999999999999"})
    void aWrongValueIsNamedWithTheSettingAndWhatItMayBe(String wrong) {
        System.setProperty(NAME, wrong);
        assertThatIllegalArgumentException()
                .isThrownBy(NUMBER::get)
                .withMessage(NAME + " must be a number from 0 to 64, not \"" + wrong + "\"");
    }

    @Test
    void aTextOfBlanksIsNone() {
        Setting<Optional<String>> text = Setting.text(NAME, "a name");
        System.setProperty(NAME, "  ");
        assertThat(text.get()).isEmpty();
        System.setProperty(NAME, " eth0 ");
        assertThat(text.get()).contains("eth0");
    }

    @Test
    void aConditionHasItsOwnWords() {
        Setting<Integer> power = NUMBER.where("a power of two", value -> Integer.bitCount(value) == 1);
        assertThat(power.parse("32")).isEqualTo(32);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> power.parse("33"))
                .withMessage(NAME + " must be a power of two, not \"33\"");
        assertThatIllegalArgumentException().isThrownBy(() -> power.parse("128"));
    }

    @Test
    void aChoiceIsWrittenInAnyLetters() {
        Setting<Colour> colour = Setting.choice(NAME, Colour.RED, "of the sky");
        assertThat(colour.parse("Green")).isEqualTo(Colour.GREEN);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> colour.parse("blue"))
                .withMessage(NAME + " must be one of red, green, not \"blue\"");
        assertThat(Setting.meanings(List.of(colour))).containsExactly(Map.entry(NAME, "of the sky"));
    }
}
