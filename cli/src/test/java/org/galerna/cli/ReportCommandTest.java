package org.galerna.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.galerna.cli.Galerna.Ended;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportCommandTest {
    @Test
    @Tag("slow")
    void laysKeptRunsSideBySideOnAPage(@TempDir Path folder) throws Exception {
        Galerna galerna = new Galerna(folder);
        for (String title : new String[] {"before", "after"}) {
            Ended measured = galerna.run(
                    "bench",
                    "latency",
                    "--quick",
                    "--sizes",
                    "8",
                    "--repetitions",
                    "2",
                    "--title",
                    title,
                    "--json",
                    folder.resolve(title + ".json").toString());
            assertThat(measured.status()).as(measured.errors()).isZero();
        }
        Path page = folder.resolve("page.html");
        Ended reported = galerna.run(
                "bench",
                "report",
                "--html",
                page.toString(),
                folder.resolve("before.json").toString(),
                folder.resolve("after.json").toString());
        assertThat(reported.status()).as(reported.errors()).isZero();
        assertThat(page).content().contains("Run 1: before", "Run 2: after", "galerna mpi", "data-run=1 data-bytes=8");
    }

    @Test
    void saysWhichFileIsMissing(@TempDir Path folder) throws Exception {
        Ended ended = new Galerna(folder)
                .run("bench", "report", folder.resolve("none.json").toString());
        assertThat(ended.status()).isNotZero();
        assertThat(ended.errors()).contains("there is no file " + folder.resolve("none.json"));
    }
}
