package org.galerna.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.galerna.testkit.process.ChildProcess;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs that set factories of sockets of their own, which the platform allows once. */
class FactoryHooksTest {
    private static final Duration LONG = Duration.ofMinutes(2);

    private static List<String> lines(ChildProcess program) throws InterruptedException {
        assertThat(program.awaitExit(LONG)).as(program.err()).isZero();
        return program.out().lines().toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"sockets", "listeners"})
    void aProgramMaySetFactoriesAsWithoutTheAgent(String first) throws Exception {
        try (ChildProcess platform = AgentJar.startPlain(FactoryProgram.class, first);
                ChildProcess fast = AgentJar.start(FactoryProgram.class, "log,after=2", first)) {
            List<String> expected = lines(platform);
            assertThat(expected).contains("before: echo0", "sockets: done", "listeners: done", "end");
            assertThat(lines(fast)).isEqualTo(expected);
            assertThat(fast.err())
                    .contains("goes through shared memory")
                    .containsOnlyOnce("the program has a factory of its own");
        }
    }
}
