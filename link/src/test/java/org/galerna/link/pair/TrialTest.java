package org.galerna.link.pair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrialTest {
    private static final String PROPERTY = "galerna.peer.timeout";

    @AfterEach
    void clear() {
        System.clearProperty(PROPERTY);
    }

    @Test
    void isAsPatientAsThoseWhoWatchPeers() {
        assertThat(Trial.patience()).isEqualTo(4_000_000_000L);
        System.setProperty(PROPERTY, "60.5");
        assertThat(Trial.patience()).isEqualTo(60_500_000_000L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "soon", "0", "-1", "NaN", "Infinity"})
    void refusesWhatIsNoTime(String text) {
        System.setProperty(PROPERTY, text);
        assertThatThrownBy(Trial::patience)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(PROPERTY)
                .hasMessageContaining("\"" + text + "\"");
    }
}
