package org.galerna.bench.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.galerna.bench.model.Study.Row;
import org.galerna.collectives.algorithm.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The lines of the standard table for {@code twoLevel} beside the machines of the documentation, by the rule in docs/model.md. */
final class LinesByHostsTest {
    private static final Path CLUSTERS = Path.of("../docs/cluster");
    private static final List<String> MACHINES = List.of("fat-nodes", "summit", "theta", "ethernet");
    private static final String BY_HOSTS = "twoLevel";

    /** In the mean over all machines and shapes. */
    private static final double CLEARLY_LESS = 0.8;

    /** In any of them. */
    private static final double LITTLE_MORE = 1.1;

    private static Machine machine(String name) throws Exception {
        return Machine.read(CLUSTERS.resolve(name + ".machine"));
    }

    /** Times of {@code twoLevel} beside those of the line below it, on whole hosts of all machines. */
    private static List<Double> ratios(Operation operation, String below, List<Long> sizes) throws Exception {
        List<Double> ratios = new ArrayList<>();
        for (String name : MACHINES) {
            Machine machine = machine(name);
            Study study = new Study(machine);
            for (int atLeast : new int[] {128, 512}) {
                int ranks = Math.ceilDiv(atLeast, machine.ranksPerHost()) * machine.ranksPerHost();
                for (long bytes : sizes) {
                    Row row = study.row(operation, BY_HOSTS, ranks, bytes).orElseThrow();
                    assertThat(row.standard()).isEqualTo(BY_HOSTS);
                    ratios.add(row.seconds()
                            / study.row(operation, below, ranks, bytes)
                                    .orElseThrow()
                                    .seconds());
                }
            }
        }
        return ratios;
    }

    private static void assertClearlyLess(List<Double> ratios) {
        assertThat(ratios).allSatisfy(ratio -> assertThat(ratio).isLessThan(LITTLE_MORE));
        double logarithms = ratios.stream().mapToDouble(Math::log).average().orElseThrow();
        assertThat(Math.exp(logarithms)).isLessThan(CLEARLY_LESS);
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource(
            value = Operation.class,
            names = {"SCAN", "EXSCAN"})
    void scansOfLargeHostsTakeLess(Operation operation) throws Exception {
        assertClearlyLess(ratios(operation, "recursiveDoubling", List.of(8L, 512L, 4096L, 1L << 20)));
    }

    @Test
    void barriersOfLargeHostsTakeLess() throws Exception {
        assertClearlyLess(ratios(Operation.BARRIER, "dissemination", List.of(0L)));
    }

    @Test
    void shortAllreducesOfLargeHostsTakeLess() throws Exception {
        assertClearlyLess(ratios(Operation.ALLREDUCE, "recursiveDoubling", List.of(8L, 512L)));
    }

    /** Few ranks on a host, or few altogether, scan as if there were no hosts. */
    @ParameterizedTest
    @ValueSource(ints = {16, 31})
    void scansOfSmallHostsStayFlat(int ranksPerHost) throws Exception {
        Machine small = machine("summit").withRanksPerHost(ranksPerHost);
        assertThat(standard(small, Operation.SCAN, 8 * ranksPerHost)).hasValue("recursiveDoubling");
        Machine large = machine("summit").withRanksPerHost(ranksPerHost + 32);
        assertThat(standard(large, Operation.SCAN, 2 * ranksPerHost + 64))
                .hasValue(2 * ranksPerHost + 64 < 128 ? "recursiveDoubling" : BY_HOSTS);
    }

    @ParameterizedTest
    @EnumSource(
            value = Operation.class,
            names = {"GATHER", "SCATTER", "ALLTOALL", "REDUCE_SCATTER"})
    void othersStayFlat(Operation operation) throws Exception {
        Machine machine = machine("summit");
        int ranks = 2 * machine.ranksPerHost();
        assertThat(standard(machine, operation, ranks)).isPresent().get().isNotEqualTo(BY_HOSTS);
        Study study = new Study(machine);
        double byHosts = study.row(operation, BY_HOSTS, ranks, 8).orElseThrow().seconds();
        assertThat(byHosts)
                .isGreaterThan(LITTLE_MORE
                        * study.best(operation, ranks, 8).orElseThrow().seconds());
    }

    private static Optional<String> standard(Machine machine, Operation operation, int ranks) {
        return new Study(machine).row(operation, BY_HOSTS, ranks, 8).map(Row::standard);
    }
}
