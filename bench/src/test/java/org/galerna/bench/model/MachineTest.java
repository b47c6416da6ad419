package org.galerna.bench.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MachineTest {
    private static final List<String> NETWORK =
            List.of("network.latency = 1.5 us", "network.overhead = 200 ns", "network.bandwidth = 12.5 GB/s");

    @TempDir
    private Path folder;

    private Machine read(Stream<String> lines) throws Exception {
        Path file = folder.resolve("my.machine");
        Files.write(file, lines.toList());
        return Machine.read(file);
    }

    @Test
    void whatIsNearerIsAsFarAsTheNetworkUnlessTheFileSaysSo() throws Exception {
        Machine machine = read(NETWORK.stream());
        assertThat(machine.link(Level.NETWORK).latency()).isEqualTo(1.5e-6);
        assertThat(machine.link(Level.NETWORK).gap()).isCloseTo(2e-7, within(1e-12));
        assertThat(machine.link(Level.SOCKET)).isEqualTo(machine.link(Level.NETWORK));
        assertThat(machine.ranksPerHost()).isEqualTo(1);
    }

    @Test
    void ranksFillOneHostAfterTheOtherAndSocketsEvenly() throws Exception {
        Machine machine = read(Stream.concat(NETWORK.stream(), Stream.of("host.ranks = 8", "host.sockets = 2")));
        assertThat(machine.between(0, 3)).isEqualTo(Level.SOCKET);
        assertThat(machine.between(3, 4)).isEqualTo(Level.HOST);
        assertThat(machine.between(7, 8)).isEqualTo(Level.NETWORK);
    }

    @Test
    void aFileThatIsWrittenSaysTheSameWhenItIsRead() throws Exception {
        Machine machine = read(Stream.concat(NETWORK.stream(), Stream.of("host.ranks = 8", "host.turn = 3 us")));
        Machine again = read(machine.lines().stream());
        assertThat(again.lines()).isEqualTo(machine.lines());
        assertThat(again.turn()).isCloseTo(3e-6, within(1e-12));
        assertThat(again.copyPerByte()).isCloseTo(1e-10, within(1e-15));
        assertThat(again.link(Level.NETWORK).gapPerByte()).isCloseTo(8e-11, within(1e-15));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            network.latency = fast      | network.latency = fast is not a number with one of the units
            network.latency = 3         | network.latency = 3 is not a number with one of the units
            host.ranks = 0              | host.ranks is a whole number from 1
            host.ranks = 1.5            | host.ranks is a whole number from 1
            host.sockets = 2            | host.sockets is larger than host.ranks
            network.speed = 3 GB/s      | there is no parameter network.speed
            """)
    void wrongParametersAreNamed(String line, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(Stream.concat(NETWORK.stream(), Stream.of(line))))
                .withMessageContaining("my.machine: " + message);
    }

    @Test
    void aMissingParameterIsNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(Stream.of("network.latency = 1 us")))
                .withMessageContaining("the parameter network.overhead is missing");
    }
}
