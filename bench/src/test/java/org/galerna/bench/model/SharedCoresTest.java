package org.galerna.bench.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.galerna.bench.model.SharedCores.Measured;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Parameters of ranks that share cores, from times that a machine with known ones would take. */
final class SharedCoresTest {
    /** A longer turn may change the order in which ranks run, so that times do not grow steadily with a parameter. */
    private static final double NEAR = 0.15;

    private static Machine machine(int ranks, double turn, double wake, int looks, double perByte) {
        LinkCost cost = new LinkCost(1e-7, 5e-7, 5e-7, 1e-10, perByte, 8193);
        return new Machine(
                "test",
                ranks,
                1,
                2,
                turn,
                wake,
                looks,
                1e-10,
                2e-10,
                0,
                Map.of(Level.SOCKET, cost, Level.HOST, cost, Level.NETWORK, cost));
    }

    @ParameterizedTest
    @CsvSource({"16, 5e-6, 3e-5, 5, 4e-10", "64, 1e-5, 2e-5, 4, 1e-9", "64, 3e-6, 2e-5, 10, 5e-10"})
    void whatExplainsTheTimesIsFound(int ranks, double turn, double wake, int looks, double perByte) {
        SharedCores cores = new SharedCores(ranks, 8, 4096, 65536);
        Measured measured = cores.simulate(machine(ranks, turn, wake, looks, perByte));
        Measured again = cores.simulate(cores.fit(machine(ranks, 0, 0, looks, 1e-30), measured));
        assertThat(again.around() / measured.around()).isCloseTo(1, within(NEAR));
        assertThat(again.round() / measured.round()).isCloseTo(1, within(NEAR));
        assertThat(again.longRound() / measured.longRound()).isCloseTo(1, within(NEAR));
        assertThat(again.announcedRound() / measured.announcedRound()).isCloseTo(1, within(NEAR));
    }

    @Test
    void longerTimesMeanLongerTurns() {
        SharedCores cores = new SharedCores(16, 8, 4096, 65536);
        Machine start = machine(16, 0, 0, 2, 1e-10);
        Machine quick = cores.fit(start, new Measured(1e-4, 2e-4, 3e-4, 1e-3));
        Machine slow = cores.fit(start, new Measured(1e-4, 1e-3, 2e-3, 1e-2));
        assertThat(slow.turn()).isGreaterThan(quick.turn());
    }
}
