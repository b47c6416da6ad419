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

    private static Machine machine(int ranks, Sharing sharing, double perByte) {
        LinkCost cost = new LinkCost(0, 5e-7, 5e-7, 1e-10, perByte, 8193);
        return new Machine(
                "test",
                ranks,
                1,
                2,
                sharing,
                Room.UNLIMITED,
                1e-10,
                2e-10,
                HostMemory.FREE,
                Map.of(Level.SOCKET, cost, Level.HOST, cost, Level.NETWORK, cost));
    }

    @ParameterizedTest
    @CsvSource({"16, 5e-6, 3e-5, 1e-6, 5, 4e-10", "64, 1e-5, 2e-5, 5e-6, 4, 1e-9", "64, 2e-6, 2e-5, 3e-6, 10, 2e-10"})
    void whatExplainsTheTimesIsFound(int ranks, double turn, double wake, double resume, int looks, double perByte) {
        SharedCores cores = new SharedCores(ranks, 8, 4096, 65536);
        Sharing sharing = new Sharing(looks, 1e-6, turn, wake, resume, 1e-6, 1e-10);
        Measured measured = cores.simulate(machine(ranks, sharing, perByte));
        Machine found = cores.fit(machine(ranks, Sharing.FREE.withLooks(looks), 1e-11), measured);
        assertThat(found.sharing().turn()).isEqualTo(turn);
        assertThat(found.sharing().keep()).isEqualTo(1e-6);
        Measured again = cores.simulate(found);
        assertThat(again.around() / measured.around()).isCloseTo(1, within(NEAR));
        assertThat(again.round() / measured.round()).isCloseTo(1, within(NEAR));
        assertThat(again.longRound() / measured.longRound()).isCloseTo(1, within(NEAR));
        assertThat(again.announcedRound() / measured.announcedRound()).isCloseTo(1, within(NEAR));
    }

    /** Every step of an exchange has the same messages. */
    @Test
    void anExchangeThatFitsIntoTheCacheDoesNotWaitForMemory() {
        SharedCores cores = new SharedCores(16, 8, 4096, 65536);
        Machine free = machine(16, new Sharing(2, 1e-6, 2e-6, 2e-5, 1e-6, 1e-6, 1e-10), 1e-10);
        long touched = 16 * 2 * 65536;
        assertThat(cores.simulate(with(free, new HostMemory(1e-8, touched))).announcedRound())
                .isEqualTo(cores.simulate(free).announcedRound());
        assertThat(cores.simulate(with(free, new HostMemory(1e-8, touched - 1))).announcedRound())
                .isGreaterThan(2 * cores.simulate(free).announcedRound());
    }

    private static Machine with(Machine machine, HostMemory memory) {
        return new Machine(
                machine.name(),
                machine.ranksPerHost(),
                1,
                machine.coresPerHost(),
                machine.sharing(),
                machine.room(),
                machine.copyPerByte(),
                machine.combinePerByte(),
                memory,
                machine.links());
    }

    private static Measured measured(double around, double round) {
        return new Measured(4e-7, 1e-6, 2e-6, 1e-6, 1e-10, 1e-10, around, round, 2 * round, 4 * round);
    }

    @Test
    void longerTimesMeanLongerCosts() {
        SharedCores cores = new SharedCores(16, 8, 4096, 65536);
        Machine start = machine(16, Sharing.FREE.withLooks(2), 1e-10);
        Machine quick = cores.fit(start, measured(2e-4, 2e-4));
        Machine slow = cores.fit(start, measured(1e-3, 1e-3));
        assertThat(slow.sharing().wake()).isGreaterThan(quick.sharing().wake());
        assertThat(slow.sharing().resume()).isGreaterThan(quick.sharing().resume());
    }

    @Test
    void whatIsMeasuredTwiceIsComparedAndTakenInTheMiddle() {
        Measured one = measured(1e-4, 2e-4);
        Measured other = measured(1e-4, 8e-4);
        assertThat(one.drift(one)).isEqualTo(1);
        assertThat(one.drift(other)).isCloseTo(4, within(1e-9));
        assertThat(other.drift(one)).isCloseTo(4, within(1e-9));
        assertThat(one.mean(other).round()).isCloseTo(4e-4, within(1e-9));
        assertThat(one.mean(other).around()).isCloseTo(1e-4, within(1e-9));
    }
}
