package org.galerna.sockets.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.function.BooleanSupplier;
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

    private boolean write(BooleanSupplier writer) {
        return option.<RuntimeException>writeAtOnce(() -> socket, value -> socket = value, writer::getAsBoolean);
    }

    @Test
    void theProgramDoesNotSeeWhatAMarkNeeds() {
        boolean written = write(() -> {
            assertThat(socket).isTrue();
            assertThat(seen()).isFalse();
            return true;
        });
        assertThat(written).isTrue();
        assertThat(socket).isFalse();
    }

    @Test
    void whatTheProgramChoosesMeanwhileIsKept() {
        choose(true);
        boolean written = write(() -> {
            choose(false);
            assertThat(socket).as("the mark still goes at once").isTrue();
            assertThat(seen()).isFalse();
            return false;
        });
        assertThat(written).isFalse();
        assertThat(socket).isFalse();
        assertThat(seen()).isFalse();
    }

    @Test
    void theProgramReachesTheSocketAfterAFailure() {
        assertThatThrownBy(() -> write(() -> {
                    throw new IllegalStateException("closed");
                }))
                .hasMessage("closed");
        choose(false);
        assertThat(socket).isFalse();
        socket = true;
        assertThat(seen()).isTrue();
    }
}
