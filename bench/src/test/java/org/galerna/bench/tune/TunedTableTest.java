package org.galerna.bench.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.galerna.collectives.algorithm.Operation;
import org.galerna.collectives.selection.DecisionTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TunedTableTest {
    private static Candidate candidate(String algorithm, double... seconds) {
        return new Candidate(algorithm, seconds);
    }

    private static Finding bcast(int ranks, long bytes, double linear, double binomial) {
        return new Finding(
                Operation.BCAST,
                ranks,
                bytes,
                "linear",
                List.of(
                        candidate("linear", linear, linear, linear),
                        candidate("binomial", binomial, binomial, binomial)));
    }

    @Test
    void onlyWhatIsFasterBeyondDoubtReplacesTheStandardAlgorithm() {
        assertThat(bcast(2, 8, 1.0, 0.95).choice()).isEqualTo("linear");
        assertThat(bcast(2, 8, 1.0, 0.85).choice()).isEqualTo("binomial");
        Finding noisy = new Finding(
                Operation.BCAST,
                2,
                8,
                "linear",
                List.of(
                        candidate("linear", 1.0, 1.0, 1.0, 1.0, 1.0),
                        candidate("binomial", 0.5, 0.5, 0.8, 1.2, 1.3),
                        candidate("chain", 0.85, 0.85, 0.85, 0.86, 0.86)));
        assertThat(noisy.choice()).isEqualTo("chain");
        assertThat(noisy.gain()).isBetween(1.17, 1.18);
    }

    @Test
    void decisionsChangeInTheMiddleAndTheStandardTableFollows(@TempDir Path folder) throws Exception {
        List<String> lines = new TunedTable("shmdev")
                .lines(List.of(
                        bcast(2, 16, 1, 0.1), bcast(2, 64, 1, 0.1), bcast(2, 1024, 0.1, 1), bcast(8, 16, 0.1, 1)));
        List<String> ofDevice = lines.stream()
                .filter(line -> line.contains("shmdev "))
                .map(line -> line.replaceAll(" +", " "))
                .toList();
        assertThat(ofDevice)
                .contains("bcast shmdev <5 <257 binomial", "bcast shmdev <5 * linear", "bcast shmdev * * linear");
        Path file = folder.resolve("tuned.table");
        Files.write(file, lines);
        List<DecisionTable.Rule> rules = DecisionTable.read(file).rules(Operation.BCAST);
        assertThat(rules)
                .hasSize(3 + DecisionTable.standard().rules(Operation.BCAST).size());
        assertThat(rules.subList(3, rules.size()))
                .isEqualTo(DecisionTable.standard().rules(Operation.BCAST));
    }

    @Test
    void argumentsComeBack() {
        Plan plan = new Plan(List.of(Operation.BCAST, Operation.SCAN), List.of(8L, 4096L), 3, 0.5, Path.of("a table"));
        assertThat(Plan.parse(plan.toArguments().toArray(String[]::new))).isEqualTo(plan);
        assertThat(plan.ranks(6)).isEqualTo(Arrays.asList(2, 4, 6));
        assertThat(plan.ranks(2)).isEqualTo(List.of(2));
        assertThat(Plan.sizesOf(Operation.BARRIER, plan.sizes())).isEqualTo(List.of(0L));
        assertThat(Plan.sizesOf(Operation.ALLTOALLV, plan.sizes())).isEqualTo(List.of(0L));
        assertThat(Plan.simulatedSizesOf(Operation.ALLTOALLV, plan.sizes())).isEqualTo(plan.sizes());
    }
}
