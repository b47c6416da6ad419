package org.galerna.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.galerna.cli.Galerna.Ended;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartCommandTest {
    @TempDir
    private Path folder;

    @Test
    @Tag("slow")
    void theFirstSecondsOfThreadsAndProcessesAreMeasuredAndKept() throws Exception {
        Ended run = new Galerna(folder)
                .run("bench", "start", "--quick", "--ranks", "2", "--json", "start.json", "--html", "start.html");

        assertThat(run.status()).as(run.errors()).isZero();
        assertThat(run.errors()).doesNotContain("note:");
        assertThat(run.output()).contains("2 ranks, end", "to 1.0", "send-64K", "alltoall-256", "methods compiled");
        assertThat(run.output().lines().filter(line -> line.strip().startsWith("galerna threads")))
                .hasSize(5)
                .allSatisfy(line -> assertThat(line).containsPattern("\\d"));
        assertThat(folder.resolve("start.json"))
                .content()
                .contains("\"galerna threads\"", "\"galerna processes\"", "\"discarded\"", "\"machine\"");
        assertThat(folder.resolve("start.html"))
                .content()
                .contains("<svg", "<polyline", "galerna processes", "the figures mean nothing");
    }

    @Test
    void whatCannotRunTheProgramIsNoSystemToCompareWith() {
        assertThat(Galerna.refused("bench", "start", "--against", "aeron"))
                .satisfies(refused -> assertThat(refused.status()).isEqualTo(2))
                .satisfies(refused -> assertThat(refused.errors())
                        .contains("--against knows no system \"aeron\"", "openmpi", "mpjexpress")
                        .doesNotContain("netty"));
        assertThat(Galerna.refused("bench", "start", "--repetitions", "0").errors())
                .contains("--repetitions takes a number from 1, not 0");
    }
}
