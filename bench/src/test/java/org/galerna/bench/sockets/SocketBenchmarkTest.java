package org.galerna.bench.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.galerna.bench.report.Result;
import org.galerna.bench.report.Unit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SocketBenchmarkTest {
    private final ByteArrayOutputStream text = new ByteArrayOutputStream();

    /** Without the agent, which is no matter of this module: both pairs are plain. */
    private SocketBenchmark.Outcome run() throws IOException {
        try (PrintStream out = new PrintStream(text, true, StandardCharsets.UTF_8)) {
            return SocketBenchmark.run(
                    new SocketBenchmark.Options(
                            port -> List.of("--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1"),
                            System.getProperty("java.class.path"),
                            1,
                            1,
                            0.1),
                    out);
        }
    }

    @Test
    @Tag("slow") // takes half a minute
    void everythingIsMeasuredWithEitherKindOfSockets() throws IOException {
        SocketBenchmark.Outcome outcome = run();
        List<String> names = outcome.results().stream()
                .map(Result::benchmark)
                .filter(name -> !name.endsWith("busy"))
                .distinct()
                .toList();
        assertThat(names)
                .contains(
                        "echo: round trip",
                        "stream of writes",
                        "byte[]: round trip",
                        "int[]: stream",
                        "double[]: stream",
                        "HTTP request",
                        "connect, one byte to and fro, close",
                        "1000 connections, half of them plain: each message",
                        "idle");
        assertThat(text.toString(StandardCharsets.UTF_8)).contains(names);
        for (String name : names) {
            assertThat(outcome.results().stream()
                            .filter(each -> each.benchmark().equals(name))
                            .map(Result::system)
                            .distinct())
                    .as(name)
                    .containsExactlyInAnyOrder("jdk", "galerna");
        }
        assertThat(outcome.results())
                .filteredOn(each -> each.unit() != Unit.PERCENT_OF_A_CORE)
                .allSatisfy(each -> assertThat(each.median()).isPositive());
    }
}
