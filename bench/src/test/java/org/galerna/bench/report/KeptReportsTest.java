package org.galerna.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeptReportsTest {
    private static final Result LATENCY = new Result(
            "galerna",
            "mpi",
            "latency",
            2,
            1,
            0,
            Unit.MICROSECONDS,
            0.106,
            0.1120000001,
            0.11,
            0.118,
            20,
            new TreeMap<>(Map.of(50.0, 0.12, 95.0, 0.14, 99.0, 0.16, 99.9, 0.5, 100.0, 3901.0)),
            List.of());
    private static final Result RATE = new Result(
            "a, \"quoted\"\nsystem",
            "",
            "rate",
            4,
            8,
            64,
            Unit.MILLION_MESSAGES_PER_SECOND,
            17,
            16,
            1e-300,
            Double.MAX_VALUE,
            1,
            new TreeMap<>(),
            List.of());
    private static final Report REPORT = new Report(
            "A title – with signs",
            Instant.parse("2026-03-01T10:20:30.123456789Z"),
            "galerna bench latency",
            new Machine("a processor", 2, "L1d 32 KiB", 1L << 40, "a system", "a Java"),
            new TreeMap<>(Map.of("galerna", "0.1.0", "mpich", "4.0.2")),
            List.of("a note", "another"),
            List.of(LATENCY, RATE));

    @TempDir
    private Path folder;

    @Test
    void jsonIsReadAsItWasWritten() throws IOException {
        Path file = folder.resolve("report.json");
        JsonReports.write(REPORT, file);
        assertThat(JsonReports.read(file)).isEqualTo(REPORT);
    }

    @Test
    void csvIsReadAsItWasWritten() throws IOException {
        Path file = folder.resolve("results.csv");
        CsvResults.write(REPORT.results(), file);
        assertThat(CsvResults.read(file)).isEqualTo(REPORT.results());
        assertThat(Files.readAllLines(file).getFirst()).startsWith("system,level,benchmark,ranks,bytes,window,unit");
    }

    @Test
    void noResultsAreAHeader() throws IOException {
        Path file = folder.resolve("results.csv");
        CsvResults.write(List.of(), file);
        assertThat(CsvResults.read(file)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "null", "[]", "{}", "{\"title\": 1", "{\"titel\": \"x\"}", "no JSON", "{\"results\": [{}]}"})
    void whatIsNoReportIsRefusedWithTheNameOfTheFile(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("other.json"), text);
        assertThatThrownBy(() -> JsonReports.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("other.json is not a report of galerna bench")
                .satisfies(failure -> assertThat(failure.getMessage()).doesNotContain("\n"));
    }

    @ParameterizedTest
    @CsvSource({
        "headlines, evaluation; its option --from",
        "jobs, galerna model --scaled",
        "systems, galerna bench start"
    })
    void aReportOfAnotherKindSaysWhatReadsIt(String field, String reader) throws IOException {
        Path file = Files.writeString(folder.resolve("other.json"), "{\"command\": \"x\", \"" + field + "\": []}");
        assertThatThrownBy(() -> JsonReports.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("other.json is a report of")
                .hasMessageContaining(reader);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a,b\n1,2\n", "system\nx\n"})
    void whatHoldsNoResultsIsRefusedWithTheNameOfTheFile(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("other.csv"), text);
        assertThatThrownBy(() -> CsvResults.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("other.csv holds no results of a benchmark");
    }

    @Test
    void tablesTellRatiosOfGalernaToTheOthers() {
        Result peer = new Result(
                "openmpi",
                "",
                "latency",
                2,
                1,
                0,
                Unit.MICROSECONDS,
                0.2,
                0.224,
                0.2,
                0.3,
                20,
                new TreeMap<>(),
                List.of());
        assertThat(TextTable.of(List.of(LATENCY, peer))
                        .lines()
                        .map(line -> line.strip().replaceAll(" +", " ")))
                .containsExactly(
                        "latency on 2 ranks, in µs (less is better)",
                        "bytes system median 95 % interval best 50 % 95 % 99 % 99.9 % max / openmpi",
                        "1 galerna mpi 0.112 0.110 - 0.118 0.106 0.120 0.140 0.160 0.500 3901 0.50",
                        "openmpi 0.224 0.200 - 0.300 0.200");
        assertThat(TextTable.of(List.of())).isEmpty();
    }

    @Test
    void thisMachineIsDescribed() {
        Machine machine = ThisMachine.describe();
        assertThat(machine.cores()).isPositive();
        assertThat(machine.memoryBytes()).isPositive();
        assertThat(machine.system()).contains("Linux");
        assertThat(machine.java()).contains(System.getProperty("java.runtime.version"));
    }
}
