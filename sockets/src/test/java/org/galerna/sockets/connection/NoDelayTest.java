package org.galerna.sockets.connection;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NoDelayTest {
    private final NoDelay option = new NoDelay();
    private boolean socket;

    private boolean seen() {
        return option.get(() -> socket);
    }

    private void choose(boolean on) {
        option.set(on, value -> socket = value);
    }

    private void override() {
        option.override(() -> socket, value -> socket = value);
    }

    private void restore() {
        option.restore(value -> socket = value);
    }

    @Test
    void theProgramDoesNotSeeWhatAMarkNeeds() {
        override();
        assertThat(socket).isTrue();
        assertThat(seen()).isFalse();
        restore();
        assertThat(socket).isFalse();
    }

    @Test
    void whatTheProgramChoosesMeanwhileIsKept() {
        choose(true);
        override();
        choose(false);
        assertThat(socket).as("the mark still goes at once").isTrue();
        assertThat(seen()).isFalse();
        restore();
        assertThat(socket).isFalse();
        assertThat(seen()).isFalse();
    }
}
