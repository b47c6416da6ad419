package org.galerna.nativeaccess.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
final class ProcessSignalsTest {
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(20);

    @Test
    void stopsAProcessUntilItIsResumed() throws Exception {
        Process sleeper = new ProcessBuilder("sleep", "60").start();
        try {
            assertThat(ProcessSignals.stop(sleeper.pid())).isTrue();
            await(() -> state(sleeper) == 'T');

            sleeper.toHandle().destroy(); // waits until it goes on
            assertThat(sleeper.waitFor(100, TimeUnit.MILLISECONDS)).isFalse();

            assertThat(ProcessSignals.resume(sleeper.pid())).isTrue();
            assertThat(sleeper.waitFor(20, TimeUnit.SECONDS)).isTrue();
        } finally {
            sleeper.destroyForcibly();
        }
    }

    @Test
    void hasNothingToStopWhereThereIsNoProcess() throws Exception {
        Process over = new ProcessBuilder("true").start();
        over.waitFor();

        assertThat(ProcessSignals.stop(over.pid())).isFalse();
        assertThat(ProcessSignals.resume(over.pid())).isFalse();
    }

    @Test
    void neverMeansAGroupOrAllProcesses() {
        assertThat(ProcessSignals.resume(0)).isFalse();
        assertThat(ProcessSignals.resume(-1)).isFalse();
    }

    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + LIMIT_NANOS;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(end);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    /** As in {@code proc(5)}: T if it is stopped. */
    private static char state(Process process) {
        try {
            String line = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
            return line.charAt(line.lastIndexOf(')') + 2);
        } catch (IOException ended) {
            return '-';
        }
    }
}
