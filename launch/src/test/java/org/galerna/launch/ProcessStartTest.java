package org.galerna.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class ProcessStartTest {
    @Test
    void aProgramThatIsNotThereIsNamedInOneLine() {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> ProcessStart.start(new ProcessBuilder("/there/is/none")))
                .withMessageContaining("/there/is/none")
                .withMessageNotContaining("\n");
    }

    @Test
    void whereNoFileCanBeOpenedTheLimitIsNamed() {
        String platforms = """
                Cannot run program "java": Bad file descriptor, error: 24 (Too many open files)\s
                Possible solutions:
                  - Re-install JDK to fix permission/versioning problems
                """;
        assertThat(ProcessStart.reason(platforms))
                .startsWith("Cannot run program \"java\": Bad file descriptor, error: 24 (Too many open files); ")
                .endsWith("ulimit -n");
        assertThat(ProcessStart.reason("Cannot run program \"java\": error=2, No such file or directory"))
                .isEqualTo("Cannot run program \"java\": error=2, No such file or directory");
    }
}
