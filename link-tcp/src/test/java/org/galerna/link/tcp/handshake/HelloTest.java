package org.galerna.link.tcp.handshake;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class HelloTest {
    @Test
    void twoAreEqualIfTheyAreInAllFields() {
        Hello hello = new Hello(Hello.LOST, 1, 2, 3, 8, 4);
        assertThat(hello)
                .isEqualTo(new Hello(Hello.LOST, 1, 2, 3, 8, 4))
                .hasSameHashCodeAs(new Hello(Hello.LOST, 1, 2, 3, 8, 4));
        assertThat(List.of(
                        new Hello(Hello.GOODBYE, 1, 2, 3, 8, 4),
                        new Hello(Hello.LOST, 0, 2, 3, 8, 4),
                        new Hello(Hello.LOST, 1, 0, 3, 8, 4),
                        new Hello(Hello.LOST, 1, 2, 0, 8, 4),
                        new Hello(Hello.LOST, 1, 2, 3, 9, 4),
                        new Hello(Hello.LOST, 1, 2, 3, 8, 0)))
                .doesNotContain(hello);
    }
}
