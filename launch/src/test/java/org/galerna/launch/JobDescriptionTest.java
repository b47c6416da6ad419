package org.galerna.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.galerna.testkit.Fault;
import org.junit.jupiter.api.Test;

class JobDescriptionTest {
    @Test
    void survivesTheWayToAnotherJvm() {
        JobDescription full = new JobDescription(
                4,
                "a b:c'd",
                "org.example.Main",
                List.of("--ranks", "", "a b", "$HOME", "\"", "@file"),
                Optional.of("smdev"),
                true,
                BindTo.CORE,
                true,
                Duration.ofMillis(1500),
                Duration.ZERO,
                OptionalLong.of(42));
        assertThat(JobDescription.fromArguments(full.toArguments())).isEqualTo(full);
        JobDescription least = new JobDescription(
                1,
                "",
                "Main",
                List.of(),
                Optional.empty(),
                false,
                BindTo.AUTO,
                false,
                Duration.ZERO,
                Duration.ofSeconds(5),
                OptionalLong.empty());
        assertThat(JobDescription.fromArguments(least.toArguments())).isEqualTo(least);
    }

    @Test
    @Fault(8)
    void refusesWhatIsNoDescription() {
        assertThatThrownBy(() -> JobDescription.fromArguments(List.of("4", "Main")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("use the galerna command");
    }
}
