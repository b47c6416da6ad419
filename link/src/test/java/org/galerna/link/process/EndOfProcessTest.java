package org.galerna.link.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EndOfProcessTest {
    private static final Pattern LINE = Pattern.compile("(\\d+) hooks, (\\d+) have ended\\R");

    private static final int TIMES = 5;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void itComesAfterAllHooksOfTheProgram(boolean exits) throws IOException {
        for (int time = 0; time < TIMES; time++) {
            long seed = ThreadLocalRandom.current().nextLong();
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            LastHooksProgram.class.getName(),
                            Long.toString(seed),
                            Boolean.toString(exits))
                    .redirectErrorStream(true)
                    .start();
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            Matcher line = LINE.matcher(printed);
            assertThat(line.matches()).as("seed %s: %s", seed, printed).isTrue();
            assertThat(line.group(2)).as("seed %s: %s", seed, printed).isEqualTo(line.group(1));
        }
    }

    @Test
    void aProcessThatRunsIsNotEnding() {
        assertThat(EndOfProcess.hasBegun()).isFalse();
    }
}
