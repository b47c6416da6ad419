package org.galerna.launch.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.galerna.launch.BindTo;
import org.junit.jupiter.api.Test;

final class AgentJobTest {
    private static AgentJob job(String... jvmOptions) {
        return new AgentJob(
                "job",
                2,
                0,
                2,
                1,
                List.of(jvmOptions),
                Map.of(),
                "",
                "",
                "Main",
                List.of(),
                "/",
                "",
                BindTo.AUTO,
                false,
                false,
                Duration.ZERO);
    }

    @Test
    void propertiesOfRanksAreThoseOfTheLastOption() {
        AgentJob job = job("-Da.b=first", "-Xmx1g", "-Da.b.c=other", "-Da.b=last=one", "-Dempty", "-Dblank=");
        assertThat(job.property("a.b")).contains("last=one");
        assertThat(job.property("empty")).contains("");
        assertThat(job.property("blank")).contains("");
        assertThat(job.property("a")).isEmpty();
        assertThat(job.property("java.home")).isEqualTo(Optional.of(System.getProperty("java.home")));
    }
}
