package org.galerna.bench.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.galerna.bench.report.Machine;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EvaluationTest {
    @TempDir
    private Path folder;

    private void program(String name, String mops, String verification) throws IOException {
        Path file = Files.writeString(folder.resolve(name), """
                #!/bin/sh
                echo " threads = $OMP_NUM_THREADS"
                echo ' Mop/s total     =                  %s'
                echo ' Verification    =               %s'
                """.formatted(mops, verification));
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private NativeKernels natives() {
        return new NativeKernels(Optional.of(folder), Optional.empty(), Optional.of(folder));
    }

    @Test
    void aProgramOfNasaIsFoundRunAndRead() throws IOException {
        program("cg.A.x", "1383.07", "SUCCESSFUL");
        program("mg.A.4", "3368.00", "SUCCESSFUL");
        assertThat(natives().onOneCore("cg", "A")).hasValue(1383.07);
        assertThat(natives().withOpenMp("cg", "A", 2)).hasValue(1383.07);
        assertThat(natives().withOpenMp("mg", "A", 4)).hasValue(3368);
        assertThat(natives().withOpenMp("mg", "A", 2)).isEmpty();
        assertThat(natives().onOneCore("cg", "B")).isEmpty();
        assertThat(NativeKernels.NONE.onOneCore("cg", "A")).isEmpty();
    }

    @Test
    void aResultThatIsNotVerifiedHasNoSpeed() throws IOException {
        program("cg.A", "1383.07", "UNSUCCESSFUL");
        assertThat(natives().onOneCore("cg", "A")).isEmpty();
    }

    @Test
    void aRowSaysWhetherThePapersRatioIsMet() {
        assertThat(Headline.of(Paper.SMDEV, "latency", 13, 15.5, "0.1 / 1.55").row())
                .contains("13.0", "15.5", "met", "0.1 / 1.55")
                .doesNotContain("not met");
        assertThat(Headline.of(Paper.SMDEV, "latency", 13, 12.9, "").verdict()).isEqualTo("not met");
        assertThat(Headline.missing(Paper.RDMA, "latency", 1.24, "openmpi-java cannot be had here")
                        .row())
                .contains(" - ", "openmpi-java cannot be had here");
    }

    @Test
    void programsTakeTurnsAndTheBestCounts() {
        List<String> order = new ArrayList<>();
        Turns.Run one = run("one", order, 1.0, 3.0, Double.NaN);
        Turns.Run failing = run("failing", order, Double.NaN, Double.NaN, Double.NaN);
        Turns.Run other = run("other", order, Double.NaN, 5.0, 4.0);
        assertThat(Turns.best("program", "units", List.of(one, failing, other), 3, line -> {}))
                .containsExactly(
                        new Speed("program", "one", 2, 3.0, "units"), new Speed("program", "other", 2, 5.0, "units"));
        assertThat(order).startsWith("one", "failing", "other", "one").hasSize(9);
    }

    private static Turns.Run run(String name, List<String> order, Double... speeds) {
        Deque<Double> left = new ArrayDeque<>(Arrays.asList(speeds));
        return new Turns.Run(name, 2, () -> {
            order.add(name);
            double speed = left.removeFirst();
            return Double.isNaN(speed) ? OptionalDouble.empty() : OptionalDouble.of(speed);
        });
    }

    private static EvaluationReport report() {
        return new EvaluationReport(
                Instant.parse("2026-03-01T10:20:30Z"),
                "galerna bench evaluation",
                new Machine("a <processor>", 4, "L1d 32 KiB", 1L << 40, "a system", "a Java"),
                Map.of("galerna", "0.1.0"),
                List.of(
                        Headline.of(Paper.SMDEV, "latency", 13, 15.5, "1.55 / 0.1"),
                        Headline.missing(Paper.RDMA, "FDTD", 1.24, "nobody has it")),
                List.of(
                        new Speed("CG class A", "Galerna", 1, 1000, "Mop/s"),
                        new Speed("CG class A", "Galerna", 4, 3500, "Mop/s"),
                        new Speed("CG class A", "NASA's", 1, 900, "Mop/s")),
                List.of("a note"));
    }

    @Test
    void whatIsKeptIsReadAsItWasWritten() throws IOException {
        Path file = folder.resolve("evaluation.json");
        report().writeJson(file);
        assertThat(EvaluationReport.read(file)).isEqualTo(report());
        Path other = Files.writeString(folder.resolve("other.json"), "{\"title\": 1}");
        assertThatThrownBy(() -> EvaluationReport.read(other))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("other.json is not a report of galerna bench evaluation");
    }

    @Test
    void partsThatWereMeasuredOnOneMachineArePutTogether() {
        EvaluationReport both = EvaluationReport.together(List.of(report(), report()));
        assertThat(both.headlines()).hasSize(4);
        assertThat(both.notes()).containsExactly("a note");
        EvaluationReport elsewhere = new EvaluationReport(
                report().time(),
                "",
                new Machine("another", 4, "", 1, "", ""),
                Map.of(),
                List.of(),
                List.of(),
                List.of());
        assertThatThrownBy(() -> EvaluationReport.together(List.of(report(), elsewhere)))
                .hasMessageContaining("a <processor> and another");
    }

    @Test
    void thePageHasRatiosCurvesAndSpeeds() throws IOException {
        Path file = folder.resolve("evaluation.html");
        report().writePage(file);
        String page = Files.readString(file);
        assertThat(page)
                .contains("a &lt;processor&gt;", "15.5", "nobody has it", "Design of scalable Java communication")
                .contains("Galerna on 4 cores: 3.50 times as fast as on one", "3&#8239;500", "a note");
        assertThat(page).containsOnlyOnce("<polyline"); // one system has more than one point
    }

    @Test
    @Tag("slow")
    void everyHeadlineHasARow() throws IOException {
        program("cg.S", "100", "SUCCESSFUL");
        EvaluationReport report = new Evaluation(
                        new Evaluation.Options(List.of(Part.values()), natives(), "S", List.of(2), 1, true), line -> {})
                .run("test", "0");
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        Evaluation.print(report, new PrintStream(output, true, StandardCharsets.UTF_8));
        assertThat(output.toString(StandardCharsets.UTF_8))
                .contains("CG class S, one core: Galerna / NASA's", "give --npb-mpi FOLDER")
                .contains("the folder of --npb has no ft.S")
                .contains("LU factorization, 2 cores: processes, shared memory / sockets");
        assertThat(report.headlines()).extracting(Headline::paper).contains(Paper.values());
        assertThat(report.headlines().stream()
                        .filter(headline -> headline.claim().contains("Java threads")))
                .hasSize(4)
                .allMatch(headline -> headline.measured().isPresent());
        Stream.of("CG class S", "EP class S", "LU factorization", "wave in a harbour (FDTD)", "universe of particles")
                .forEach(program -> assertThat(report.speeds())
                        .as(program)
                        .anyMatch(speed -> speed.program().equals(program) && speed.cores() == 2));
    }
}
