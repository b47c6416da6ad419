package org.galerna.sockets.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

/** How a connection over a link ends, and what its other end takes meanwhile. */
class LinkLifeTest {
    @Test
    void theFirstReasonCounts() {
        LinkLife life = new LinkLife();
        assertThat(life.isOpen()).isTrue();
        life.fail("it does not keep to the protocol");
        life.fail("it is lost");
        assertThat(life.isOpen()).isFalse();
        assertThat(life.hasEnded()).isFalse();
        life.end();
        life.fail("it is lost");
        assertThat(life.hasEnded()).isTrue();
        assertThat(life.reason()).isEqualTo("it does not keep to the protocol");
    }

    @Test
    void itEndsOnceAndForAReason() {
        LinkLife life = new LinkLife();
        assertThatIllegalStateException().isThrownBy(life::end).withMessageContaining("OPEN");
        life.fail("it is lost");
        life.end();
        assertThatIllegalStateException().isThrownBy(life::end).withMessageContaining("ENDED");
    }

    @Test
    void whoeverIsGoneStaysGone() {
        Taking taking = new Taking();
        assertThat(taking.takes()).isTrue();
        taking.refuse();
        assertThat(taking.takes()).isFalse();
        assertThat(taking.isGone()).isFalse();
        taking.go();
        taking.refuse();
        assertThat(taking.isGone()).isTrue();
    }
}
