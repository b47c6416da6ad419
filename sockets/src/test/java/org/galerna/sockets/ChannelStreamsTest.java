package org.galerna.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.galerna.testkit.process.ChildProcess;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Streams of channels, which the platform makes of its own channels in another way than of others. */
class ChannelStreamsTest {
    private static final Duration LONG = Duration.ofMinutes(4);

    @ParameterizedTest
    @CsvSource({"'log,after=0', 20", "'log,exclude=1-65535', 1"})
    void theyBehaveAsWithoutTheAgent(String options, String exchanges) throws Exception {
        try (ChildProcess platform = AgentJar.startPlain(StreamsProgram.class, exchanges);
                ChildProcess agent = AgentJar.start(StreamsProgram.class, options, exchanges)) {
            List<String> expected = lines(platform);
            assertThat(expected)
                    .contains("one reads while another writes: written[42, 43]7", "end")
                    .noneMatch(line -> line.contains("Timeout"));
            assertThat(lines(agent)).isEqualTo(expected);
            assertThat(agent.err().contains("goes through shared memory")).isEqualTo(!options.contains("exclude"));
        }
    }

    private static List<String> lines(ChildProcess program) throws InterruptedException {
        assertThat(program.awaitExit(LONG)).as(program.err()).isZero();
        return program.out().lines().toList();
    }
}
