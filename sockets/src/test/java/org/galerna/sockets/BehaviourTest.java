package org.galerna.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.galerna.testkit.process.ChildProcess;
import org.junit.jupiter.api.Test;

/** Whoever uses a socket sees the same whether or not its bytes go through shared memory. */
class BehaviourTest {
    private static final Duration LONG = Duration.ofSeconds(110);

    @Test
    void socketsBehaveAsThoseOfThePlatform() throws Exception {
        try (ChildProcess platform = AgentJar.startPlain(BehaviourProgram.class);
                ChildProcess fast = AgentJar.start(BehaviourProgram.class, "after=0", "fast");
                ChildProcess plain = AgentJar.start(BehaviourProgram.class, "exclude=1-65535");
                ChildProcess undecided = AgentJar.start(BehaviourProgram.class, "after=1000000")) {
            List<String> expected = lines(platform);
            assertThat(expected).hasSizeGreaterThan(45).noneMatch(line -> line.matches(".*: (failed|hangs):.*"));
            assertThat(lines(fast)).as("fast").isEqualTo(expected);
            assertThat(lines(plain)).as("ports are excluded").isEqualTo(expected);
            assertThat(lines(undecided)).as("could become fast, but does not").isEqualTo(expected);
        }
    }

    private static List<String> lines(ChildProcess program) throws InterruptedException {
        program.awaitOut(text -> text.endsWith("end\n"), LONG);
        return program.out().lines().toList();
    }
}
