package org.galerna.bench.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.galerna.bench.model.Study.Row;
import org.galerna.collectives.algorithm.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The real algorithms on machines of any size: their messages fit together, and their times are those of the textbook. */
final class StudyTest {
    private static Machine machine(int ranksPerHost) {
        Map<Level, LinkCost> links = new EnumMap<>(Level.class);
        for (Level level : Level.values()) {
            links.put(level, new LinkCost(1e-6, 0.2e-6, 0.2e-6, 1e-10, 0, 8192));
        }
        return new Machine(
                "test",
                ranksPerHost,
                Math.min(2, ranksPerHost),
                ranksPerHost,
                Sharing.FREE,
                Room.UNLIMITED,
                1e-10,
                2e-10,
                HostMemory.FREE,
                links);
    }

    /** Whole hosts, and one that is not full. */
    @ParameterizedTest
    @CsvSource({"2, 1", "5, 2", "8, 2", "13, 4", "16, 16", "37, 6"})
    void everyAlgorithmSendsWhatIsReceived(int ranks, int ranksPerHost) {
        Study study = new Study(machine(ranksPerHost), 2);
        for (Operation operation : Operation.values()) {
            for (long bytes : List.of(8L, 1000L, 100_000L)) {
                List<Row> rows = study.rows(operation, ranks, operation == Operation.BARRIER ? 0 : bytes);
                assertThat(rows).isNotEmpty().allSatisfy(row -> {
                    assertThat(row.outcome()).isPresent();
                    assertThat(row.seconds()).isPositive();
                });
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 8, 64})
    void timesOfTreesAreThoseOfTheTextbook(int ranks) {
        Study study = new Study(machine(1));
        double message = 1.4e-6; // latency and two overheads
        int rounds = Integer.numberOfTrailingZeros(ranks);
        assertThat(seconds(study, Operation.BARRIER, "dissemination", ranks, 0))
                .isCloseTo(rounds * message, within(1e-9));
        assertThat(seconds(study, Operation.ALLREDUCE, "recursiveDoubling", ranks, 8))
                .isCloseTo(rounds * (message + 8e-10 + 16e-10), within(1e-9));
        assertThat(seconds(study, Operation.BARRIER, "tree", ranks, 0))
                .isBetween(2 * rounds * message - 1e-9, 2 * rounds * message * 1.3);
    }

    private static double seconds(Study study, Operation operation, String algorithm, int ranks, long bytes) {
        return row(study, operation, algorithm, ranks, bytes).seconds();
    }

    private static Row row(Study study, Operation operation, String algorithm, int ranks, long bytes) {
        return study.row(operation, algorithm, ranks, bytes).orElseThrow();
    }

    @Test
    void byHostsAMessageForEachOtherHostGoesThere() {
        Row row = row(new Study(machine(16)), Operation.ALLTOALL, "twoLevel", 256, 64);
        long hosts = 16;
        assertThat(row.outcome().orElseThrow().messagesBetweenHosts()).isEqualTo(hosts * (hosts - 1));
        assertThat(row.outcome().orElseThrow().bytesBetweenHosts()).isEqualTo(256 * 240 * 64);
    }

    /** Lengths are told inside a host; so from host to host goes no more than for blocks of one length. */
    @Test
    void byHostsBlocksThatVaryTakeOneMessageToo() {
        Row row = row(new Study(machine(16)), Operation.ALLTOALLV, "twoLevel", 256, 64);
        long hosts = 16;
        assertThat(row.outcome().orElseThrow().messagesBetweenHosts()).isEqualTo(hosts * (hosts - 1));
        assertThat(row.outcome().orElseThrow().bytesBetweenHosts()).isEqualTo(256 * 240 * 64);
    }

    /** What is known before a simulation is never more than what comes out of it, so the best one is not missed. */
    @ParameterizedTest
    @CsvSource({"2, 1", "13, 4", "32, 8"})
    void theBestIsTheShortestOfAll(int ranks, int ranksPerHost) {
        Study study = new Study(machine(ranksPerHost), 3);
        for (Operation operation : Operation.values()) {
            for (long bytes : List.of(8L, 100_000L)) {
                long size = operation == Operation.BARRIER ? 0 : bytes;
                double shortest = study.rows(operation, ranks, size).stream()
                        .mapToDouble(Row::seconds)
                        .min()
                        .orElseThrow();
                assertThat(study.best(operation, ranks, size))
                        .hasValueSatisfying(best -> assertThat(best.seconds())
                                .as("%s of %d bytes", operation, bytes)
                                .isEqualTo(shortest));
            }
        }
    }

    @Tag("slow")
    @Test
    void whatIsTooLongToSimulateHasTheTimeOfItsFormula() {
        Row row = row(new Study(machine(64)), Operation.ALLTOALL, "pairwise", 8192, 8);
        assertThat(row.outcome()).isEmpty();
        assertThat(row.seconds()).isGreaterThan(8191 * 0.2e-6);
    }

    @Tag("slow")
    @Test
    void treesServeAHundredThousandRanks() {
        Study study = new Study(machine(64));
        assertThat(row(study, Operation.ALLREDUCE, "recursiveDoubling", 131_072, 8)
                        .outcome())
                .hasValueSatisfying(outcome -> assertThat(outcome.messages()).isEqualTo(17 * 131_072));
    }

    /** Ranks that copy a block for each other rank: to write that down takes no step for each block. */
    @Tag("slow")
    @Test
    void anAlltoallServesManyRanks() {
        Study study = new Study(machine(64));
        assertThat(row(study, Operation.ALLTOALL, "bruck", 131_072, 8).outcome())
                .hasValueSatisfying(outcome -> assertThat(outcome.messages()).isEqualTo(17 * 131_072));
        assertThat(study.best(Operation.ALLTOALL, 16_384, 8)).hasValueSatisfying(best -> {
            assertThat(best.algorithm()).isEqualTo("twoLevel");
            assertThat(best.outcome().orElseThrow().messagesBetweenHosts()).isEqualTo(256 * 255);
        });
        assertThat(study.best(Operation.ALLTOALLV, 16_384, 8)).hasValueSatisfying(best -> {
            assertThat(best.algorithm()).isEqualTo("twoLevel");
            assertThat(best.outcome().orElseThrow().messagesBetweenHosts()).isEqualTo(256 * 255);
        });
        assertThat(row(study, Operation.ALLGATHER, "twoLevel", 131_072, 8).outcome())
                .isPresent();
    }
}
