package org.galerna.link.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PeerTimeoutTest {
    @AfterEach
    void clear() {
        System.clearProperty(PeerTimeout.PROPERTY);
    }

    @Test
    void isTheTimeThatThePropertySays() {
        assertThat(PeerTimeout.nanos()).isEqualTo(4_000_000_000L);
        System.setProperty(PeerTimeout.PROPERTY, "60.5");
        assertThat(PeerTimeout.nanos()).isEqualTo(60_500_000_000L);
        assertThat(PeerTimeout.seconds()).isEqualTo(60.5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "soon", "0", "-1", "NaN", "Infinity"})
    void refusesWhatIsNoTime(String text) {
        System.setProperty(PeerTimeout.PROPERTY, text);
        assertThatThrownBy(PeerTimeout::nanos)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(PeerTimeout.PROPERTY)
                .hasMessageContaining("\"" + text + "\"");
    }
}
