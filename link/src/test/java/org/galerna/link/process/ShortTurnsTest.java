package org.galerna.link.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.concurrent.FutureTask;
import org.galerna.nativeaccess.thread.Timeslice;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShortTurnsTest {
    @BeforeEach
    @AfterEach
    void forgetTheProperty() {
        System.clearProperty(ShortTurns.TURN);
    }

    private static long sliceAfterAsking(Thread.Builder builder) throws Exception {
        FutureTask<Long> task = new FutureTask<>(() -> {
            ShortTurns.ask();
            return Timeslice.instance().map(Timeslice::get).orElse(0L);
        });
        builder.start(task);
        return task.get();
    }

    private static long usualSlice() {
        long usual = Timeslice.instance().map(Timeslice::get).orElse(0L);
        assumeTrue(usual > Timeslice.SHORTEST_NANOS, "threads have no longer slices");
        return usual;
    }

    @Test
    void shortensTheTurnsOfTheCaller() throws Exception {
        long usual = usualSlice();
        assertThat(sliceAfterAsking(Thread.ofPlatform())).isEqualTo(Timeslice.SHORTEST_NANOS);
        assertThat(usualSlice()).isEqualTo(usual);
    }

    @Test
    void leavesTheCarriersOfVirtualThreadsAlone() throws Exception {
        long usual = usualSlice();
        assertThat(sliceAfterAsking(Thread.ofVirtual())).isEqualTo(usual);
    }

    @Test
    void doesAsTheUserWants() throws Exception {
        long usual = usualSlice();
        System.setProperty(ShortTurns.TURN, "0");
        assertThat(sliceAfterAsking(Thread.ofPlatform())).isEqualTo(usual);
        System.setProperty(ShortTurns.TURN, "250");
        assertThat(sliceAfterAsking(Thread.ofPlatform())).isEqualTo(250_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "99", "100001", "soon"})
    void refusesWhatCannotBe(String value) {
        System.setProperty(ShortTurns.TURN, value);
        assertThatThrownBy(ShortTurns::ask)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(ShortTurns.TURN)
                .hasMessageContaining("between 100 and 100000")
                .hasMessageEndingWith("not \"" + value + "\"");
    }
}
