package org.galerna.sockets.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SettingsTest {
    private final Properties before = new Properties();

    @BeforeEach
    void remember() {
        before.putAll(System.getProperties());
    }

    @AfterEach
    void restore() {
        System.setProperties(before);
    }

    @Test
    void allPortsMayBeFastUnlessToldOtherwise() {
        Settings settings = Settings.fromProperties();
        assertThat(settings.enabled()).isTrue();
        assertThat(settings.allows(80)).isTrue();
    }

    @Test
    void theAgentTakesOptions() {
        Settings.take("log, exclude=80+8000-8100,ring=32768,after=3");
        Settings settings = Settings.fromProperties();
        assertThat(settings.verbose()).isTrue();
        assertThat(settings.ringBytes()).isEqualTo(32768);
        assertThat(settings.operations()).isEqualTo(3);
        assertThat(settings.allows(79)).isTrue();
        assertThat(settings.allows(80)).isFalse();
        assertThat(settings.allows(8000)).isFalse();
        assertThat(settings.allows(8100)).isFalse();
        assertThat(settings.allows(8101)).isTrue();
    }

    @Test
    void onlyTheIncludedPortsMayBeFast() {
        Settings.take("include=100-200,exclude=150");
        Settings settings = Settings.fromProperties();
        assertThat(settings.allows(100)).isTrue();
        assertThat(settings.allows(150)).isFalse();
        assertThat(settings.allows(201)).isFalse();
    }

    @Test
    void nothingIsFastWhenSwitchedOff() {
        Settings.take("off");
        assertThat(Settings.fromProperties().enabled()).isFalse();
        assertThat(Settings.fromProperties().allows(80)).isFalse();
    }

    @Test
    void whatCannotBeUnderstoodIsNamed() {
        assertThatThrownBy(() -> Settings.take("fast"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"fast\"");
        Settings.take("ring=1000");
        assertThatThrownBy(Settings::fromProperties)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("galerna.sockets.ring")
                .hasMessageContaining("1000");
        Settings.take("ring=65536,exclude=http");
        assertThatThrownBy(Settings::fromProperties)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("http");
    }
}
