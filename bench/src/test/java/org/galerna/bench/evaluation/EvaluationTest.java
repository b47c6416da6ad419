package org.galerna.bench.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EvaluationTest {
    @TempDir
    private Path folder;

    private void program(String name, String mops, String verification) throws IOException {
        Path file = Files.writeString(folder.resolve(name), """
                #!/bin/sh
                echo ' Mop/s total     =                  %s'
                echo ' Verification    =               %s'
                """.formatted(mops, verification));
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    @Test
    void aProgramOfNasaIsFoundRunAndRead() throws IOException {
        program("cg.A.x", "1383.07", "SUCCESSFUL");
        Path program = KernelRun.find(folder, "cg", "A").orElseThrow();
        assertThat(KernelRun.ofNative(program)).hasValue(1383.07);
        assertThat(KernelRun.find(folder, "cg", "B")).isEmpty();
    }

    @Test
    void aResultThatIsNotVerifiedHasNoSpeed() throws IOException {
        program("cg.A", "1383.07", "UNSUCCESSFUL");
        assertThat(KernelRun.ofNative(folder.resolve("cg.A"))).isEmpty();
    }

    @Test
    void aRowSaysWhetherThePapersRatioIsMet() {
        assertThat(Headline.of("smdev", "latency", 13, 15.5, "0.1, 1.55").row())
                .contains("13.00", "15.50", "met", "0.1, 1.55")
                .doesNotContain("not met");
        assertThat(Headline.of("smdev", "latency", 13, 12.9, "").verdict()).isEqualTo("not met");
        assertThat(Headline.missing("rdma", "latency", 1.24, "openmpi-java cannot be had here")
                        .row())
                .contains("- ", "openmpi-java cannot be had here");
    }

    @Test
    @Tag("slow")
    void everyHeadlineHasARow() throws IOException {
        program("cg.S", "100", "SUCCESSFUL");
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        Evaluation.Kept kept = new Evaluation(new Evaluation.Options(Optional.of(folder), "S", true))
                .run("test", new PrintStream(output, true, StandardCharsets.UTF_8));
        assertThat(output.toString(StandardCharsets.UTF_8))
                .contains("CG class S: one rank / NASA's program", "MG class S: two ranks / two Java threads")
                .contains("no program ft.S in the folder")
                .contains("LU factorization: shared memory / sockets");
        List<Headline> measured = kept.headlines().stream()
                .filter(headline -> headline.claim().contains("two ranks / one rank"))
                .toList();
        assertThat(measured).hasSize(4).allMatch(headline -> headline.measured().isPresent());
        Path file = folder.resolve("kept.json");
        Evaluation.write(kept, file);
        assertThat(file).content().contains("\"headlines\"", "\"machine\"", "LU factorization");
    }
}
