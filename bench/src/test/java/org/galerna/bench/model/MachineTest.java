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
        assertThat(again.sharing().turn()).isCloseTo(3e-6, within(1e-12));
        assertThat(again.copyPerByte()).isCloseTo(1e-10, within(1e-15));
        assertThat(again.link(Level.NETWORK).gapPerByte()).isCloseTo(8e-11, within(1e-15));
    }

    @Test
    void ranksThatShareCoresAreWrittenAndReadWithTheirRoom() throws Exception {
        Machine machine = read(Stream.concat(
                NETWORK.stream(),
                Stream.of(
                        "host.ranks = 64",
                        "host.cores = 2",
                        "host.looks = 10",
                        "host.look = 1 us",
                        "host.turn = 2 us",
                        "host.wake = 25 us",
                        "host.memory = 5 GB/s",
                        "host.cache = 32 MiB",
                        "host.resume = 3 us",
                        "host.keep = 500 ns",
                        "host.keep.bandwidth = 4 GB/s",
                        "host.queue = 64 KiB",
                        "host.queue.messages = 512",
                        "host.rings = 16",
                        "host.ring = 32 KiB",
                        "host.ring.messages = 64",
                        "host.room.late = 55 us")));
        Machine again = read(machine.lines().stream());
        assertThat(again.lines()).isEqualTo(machine.lines());
        assertThat(again.sharing().looks()).isEqualTo(10);
        assertThat(again.memory().perByte()).isCloseTo(2e-10, within(1e-15));
        assertThat(again.memory().cache()).isEqualTo(32 << 20);
        assertThat(again.sharing().keepPerByte()).isCloseTo(2.5e-10, within(1e-15));
        assertThat(again.room().queueBytes()).isEqualTo(65536);
        assertThat(again.room().rings()).isEqualTo(16);
        assertThat(again.room().sleep(1)).isCloseTo(255e-6, within(1e-9));
        assertThat(again.room().sleep(30)).isCloseTo(1055e-6, within(1e-9));
    }

    /** Files of before have fewer parameters. */
    @Test
    void whatAFileDoesNotSayOfSharingCostsNothingMore() throws Exception {
        Machine machine = read(Stream.concat(NETWORK.stream(), Stream.of("host.turn = 3 us", "host.wake = 20 us")));
        assertThat(machine.sharing().look()).isEqualTo(machine.sharing().turn());
        assertThat(machine.sharing().resume()).isZero();
        assertThat(machine.sharing().keep()).isZero();
        assertThat(machine.room()).isEqualTo(Room.UNLIMITED);
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
