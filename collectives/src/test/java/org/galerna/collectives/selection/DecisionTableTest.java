package org.galerna.collectives.selection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Allreduce;
import org.galerna.collectives.algorithm.Broadcast;
import org.galerna.collectives.algorithm.Operation;
import org.galerna.collectives.team.TeamShape;
import org.galerna.collectives.team.TeamShape.Groups;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class DecisionTableTest {
    @ParameterizedTest
    @EnumSource(Groups.class)
    void standardTableDecidesEverything(Groups groups) {
        for (Operation operation : Operation.values()) {
            for (int ranks = 2; ranks <= 130; ranks++) {
                TeamShape team = new TeamShape(ranks, false, groups, 2);
                Choice<Algorithm> choice =
                        Choice.of(Algorithm.class, operation, null, DecisionTable.standard(), "smdev", team);
                for (long bytes = 0; bytes >= 0 && bytes < 1L << 40; bytes = 3 * bytes + 1) {
                    for (boolean commutative : new boolean[] {true, false}) {
                        Algorithm algorithm = choice.choose(bytes, commutative);
                        assertThat(algorithm.restrictions().admits(team))
                                .as("%s may be used for %s on %d ranks", algorithm.name(), operation, ranks)
                                .isTrue();
                    }
                }
            }
        }
    }

    @Test
    void linesAreWrittenAsTheyAreRead() {
        for (Operation operation : Operation.values()) {
            List<DecisionTable.Rule> rules = DecisionTable.standard().rules(operation);
            List<String> lines =
                    rules.stream().map(DecisionTable.Rule::toString).toList();
            assertThat(DecisionTable.parse("test", lines).rules(operation)).isEqualTo(rules);
        }
    }

    @Test
    void firstLineWhoseBoundsHoldCounts() {
        DecisionTable table = DecisionTable.parse(
                "test",
                List.of(
                        "# comment",
                        "",
                        "bcast  smdev  <4  <1K  linear",
                        "bcast  *      <4  <2M  binomial   # comment",
                        "bcast  *      *   <10  chain",
                        "bcast  *      *   *    scatterAllgather"));
        Choice<Broadcast> few = Choice.of(Broadcast.class, Operation.BCAST, null, table, "smdev", flat(3));
        assertThat(few.choose(1023).name()).isEqualTo("linear");
        assertThat(few.choose(1024).name()).isEqualTo("binomial");
        assertThat(few.choose((2 << 20) - 1).name()).isEqualTo("binomial");
        assertThat(few.choose(2 << 20).name()).isEqualTo("scatterAllgather");
        Choice<Broadcast> otherDevice = Choice.of(Broadcast.class, Operation.BCAST, null, table, "niodev", flat(3));
        assertThat(otherDevice.choose(0).name()).isEqualTo("binomial");
        Choice<Broadcast> many = Choice.of(Broadcast.class, Operation.BCAST, null, table, "smdev", flat(4));
        assertThat(many.choose(9).name()).isEqualTo("chain");
        assertThat(many.choose(10).name()).isEqualTo("scatterAllgather");
    }

    @Test
    void linesForLargeHostsNeedSoManyRanksOnEach() {
        DecisionTable table = DecisionTable.parse(
                "test", List.of("scan * <128 * linear", "scan * 32/host <1K twoLevel", "scan * * * recursiveDoubling"));
        assertThat(scan(table, 128, Groups.HOSTS, 4)).isEqualTo("twoLevel");
        assertThat(scan(table, 129, Groups.HOSTS, 4)).isEqualTo("twoLevel");
        assertThat(scan(table, 159, Groups.HOSTS, 5)).isEqualTo("recursiveDoubling");
        assertThat(scan(table, 127, Groups.HOSTS, 3)).isEqualTo("linear");
        assertThat(scan(table, 128, Groups.HEAPS, 4)).isEqualTo("recursiveDoubling");
        assertThat(scan(table, 128, Groups.NONE, 1)).isEqualTo("recursiveDoubling");
    }

    private static String scan(DecisionTable table, int ranks, Groups groups, int number) {
        TeamShape team = new TeamShape(ranks, false, groups, number);
        Choice<Algorithm> choice = Choice.of(Algorithm.class, Operation.SCAN, null, table, "niodev", team);
        assertThat(choice.choose(1024).name()).isNotEqualTo("twoLevel");
        return choice.choose(1023).name();
    }

    @Test
    void linesThatCannotServeAreSkipped() {
        DecisionTable table =
                DecisionTable.parse("test", List.of("allreduce * * <1M ring", "allreduce * * * reduceBroadcast"));
        Choice<Allreduce> choice = Choice.of(Allreduce.class, Operation.ALLREDUCE, null, table, "smdev", flat(5));
        assertThat(choice.choose(8, true).name()).isEqualTo("ring");
        assertThat(choice.choose(8, false).name()).isEqualTo("reduceBroadcast");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bcast * * linear                | line 1: \"bcast * * linear\" has 4 columns instead of 5",
                "bcast * * * quick               | line 1: no algorithm named \"quick\" for bcast; there are linear,",
                "broadcast * * * linear          | line 1: no collective operation named \"broadcast\"; there are barrier,",
                "bcast * 4 * linear              | line 1: \"4\" is neither * nor an upper bound such as <4096 or <64K",
                "bcast * 0/host * linear         | line 1: \"0/host\" is neither *",
                "bcast * 4/host * linear         | the last line of bcast must be",
                "bcast * <4 <-1 linear           | line 1: \"<-1\" is neither",
                "bcast * <4 <12345678901234567M linear | line 1: \"<12345678901234567M\" is neither",
                "bcast * <4 * linear             | the last line of bcast must be \"bcast * * * algorithm\"",
                "allreduce * * * ring            | the last line of allreduce must be",
                "allgather * * * recursiveDoubling | the last line of allgather must be",
            })
    void wrongLinesAreNamed(String line, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DecisionTable.parse("my.table", List.of(line)))
                .withMessageStartingWith("my.table")
                .withMessageContaining(message);
    }

    private static TeamShape flat(int ranks) {
        return TeamShape.flat(ranks, false);
    }
}
