package org.galerna.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CosmologyDemoTest {
    @TempDir
    Path folder;

    @Test
    void aUniverseLeavesAPictureAFilmAndSpectra() {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        int status = CosmologyDemo.run(
                new CosmologyDemo.Options(folder.resolve("new"), 2, 64, 3, Optional.empty(), true),
                new PrintStream(output, true, StandardCharsets.UTF_8));
        assertThat(status).isZero();
        for (String name : new String[] {"density.png", "cosmology.gif", "power.csv"}) {
            assertThat(folder.resolve("new").resolve(name)).isNotEmptyFile();
            assertThat(output.toString(StandardCharsets.UTF_8)).contains(name);
        }
    }
}
