package org.galerna.link.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class EndOfProcessTest {
    private static final Pattern LINE = Pattern.compile("(\\d+) hooks, (\\d+) have ended\\R");

    private static final int TIMES = 5;

    /** So many hooks that some of them are mostly started after the one of Galerna. */
    private static final int MANY = 150;

    /** What is taken for a hook is waited for half a minute. */
    private static final long HOOK_SECONDS = 25;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void itComesAfterAllHooksOfTheProgram(boolean exits) throws IOException {
        for (int time = 0; time < TIMES; time++) {
            long seed = ThreadLocalRandom.current().nextLong();
            Process process = start(LastHooksProgram.class, Long.toString(seed), Boolean.toString(exits));
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            Matcher line = LINE.matcher(printed);
            assertThat(line.matches()).as("seed %s: %s", seed, printed).isTrue();
            assertThat(line.group(2)).as("seed %s: %s", seed, printed).isEqualTo(line.group(1));
        }
    }

    /** It would wait for it as long as for a hook. */
    @ParameterizedTest
    @EnumSource(LateThreadProgram.Late.class)
    void aThreadThatIsNoHookHoldsUpNoEnd(LateThreadProgram.Late late) throws Exception {
        List<String> printed = new ArrayList<>();
        for (int hooks = MANY; hooks < MANY + TIMES; hooks++) { // whose order the virtual machine chooses
            Process process = start(LateThreadProgram.class, late.name(), Integer.toString(hooks));
            try {
                assertThat(process.waitFor(HOOK_SECONDS, TimeUnit.SECONDS))
                        .as("the process has ended")
                        .isTrue();
                printed.add(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip());
            } finally {
                process.destroyForcibly();
            }
        }
        assertThat(printed).contains("late true").isSubsetOf("late true", "late false");
    }

    private static Process start(Class<?> program, String first, String second) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        program.getName(),
                        first,
                        second)
                .redirectErrorStream(true)
                .start();
    }

    @Test
    void aProcessThatRunsIsNotEnding() {
        assertThat(EndOfProcess.hasBegun()).isFalse();
    }
}
