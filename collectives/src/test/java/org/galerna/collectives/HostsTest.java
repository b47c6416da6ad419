package org.galerna.collectives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.galerna.collectives.algorithm.Operation;
import org.galerna.collectives.reduction.Operator;
import org.galerna.collectives.reduction.PrimitiveReductions;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.collectives.team.Team;
import org.galerna.collectives.team.TeamShape.Groups;
import org.galerna.device.DeviceException;
import org.galerna.device.DeviceOptions;
import org.galerna.device.ErrorClass;
import org.galerna.device.RankList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Collectives of ranks on several hosts: when they go by hosts, and what that saves. */
final class HostsTest {
    private static final int COUNT = 100;
    private static final Reduction SUM = PrimitiveReductions.of(Operator.SUM, long[].class);
    private static final CollectiveOptions BY_HOSTS = CollectiveOptions.standard()
            .force(Operation.BARRIER, "twoLevel")
            .force(Operation.BCAST, "twoLevel")
            .force(Operation.REDUCE, "twoLevel")
            .force(Operation.ALLREDUCE, "twoLevel");

    /** Messages between hosts in one operation on 8 ranks with root 0, by a flat algorithm and by hosts. */
    @ParameterizedTest
    @CsvSource({
        "00001111, BARRIER, dissemination, 14, 2",
        "01010101, BARRIER, dissemination, 8, 2",
        "01230123, BARRIER, dissemination, 16, 8",
        "00001111, BCAST, binomial, 1, 1",
        "01010101, BCAST, binomial, 4, 1",
        "01230123, BCAST, binomial, 6, 3",
        "00001111, REDUCE, binomial, 1, 1",
        "01010101, REDUCE, binomial, 4, 1",
        "01230123, REDUCE, binomial, 6, 3",
        "00001111, ALLGATHER, bruck, 14, 2",
        "01010101, ALLGATHER, bruck, 8, 2",
        "01230123, ALLGATHER, bruck, 16, 8",
        "00001111, ALLREDUCE, recursiveDoubling, 8, 2",
        "01010101, ALLREDUCE, recursiveDoubling, 8, 2",
        "01230123, ALLREDUCE, recursiveDoubling, 16, 8"
    })
    void fewerMessagesGoBetweenHosts(String hosts, Operation operation, String flat, long flatly, long byHosts) {
        assertThat(messagesBetweenHosts(Ranks.hosts(hosts), operation, flat)).isEqualTo(flatly);
        assertThat(messagesBetweenHosts(Ranks.hosts(hosts), operation, "twoLevel"))
                .isEqualTo(byHosts);
    }

    private static long messagesBetweenHosts(int[] hosts, Operation operation, String algorithm) {
        CollectiveOptions options = CollectiveOptions.standard().force(operation, algorithm);
        try (Ranks ranks = Ranks.onHosts(hosts, DeviceOptions.DEFAULT, CountingDevice::new)) {
            ranks.run(team -> call(new Collectives(team, options), operation));
            long messages = 0;
            for (int from = 0; from < hosts.length; from++) {
                for (int to = 0; to < hosts.length; to++) {
                    if (hosts[from] != hosts[to]) {
                        messages += ((CountingDevice) ranks.device(from)).messagesTo(to);
                    }
                }
            }
            return messages;
        }
    }

    private static void call(Collectives collectives, Operation operation) {
        long[] vector = new long[COUNT];
        long[] result = new long[COUNT];
        switch (operation) {
            case BARRIER -> collectives.barrier();
            case BCAST -> collectives.bcast(vector, 0, 8L * COUNT, 0);
            case REDUCE -> collectives.reduce(vector, 0, result, 0, COUNT, SUM, 0);
            case ALLGATHER -> collectives.allgather(vector, 0, COUNT, result, 0);
            case ALLREDUCE -> collectives.allreduce(vector, 0, result, 0, COUNT, SUM);
            default -> throw new IllegalStateException(operation + " does not go by hosts");
        }
    }

    /** A communicator of some ranks in another order has hosts and leaders of its own. */
    @Test
    void teamsOfSomeRanksGoByTheHostsOfTheirMembers() {
        int[] members = {5, 3, 2, 0, 4};
        try (Ranks ranks = Ranks.onHosts(Ranks.hosts("001122"), DeviceOptions.DEFAULT, UnaryOperator.identity())) {
            ranks.onThreads(rank -> {
                if (rank == 1) {
                    return;
                }
                Team team = new Team(ranks.device(rank), RankList.of(members), Ranks.CONTEXT);
                assertThat(team.byHost().host()).isEqualTo(rank / 2 == 2 ? 0 : rank / 2 == 1 ? 1 : 2);
                Collectives collectives = new Collectives(team, BY_HOSTS);
                for (int root = 0; root < members.length; root++) {
                    long[] value = {team.rank() == root ? 100 + root : -1};
                    collectives.bcast(value, 0, 8, root);
                    assertThat(value[0]).isEqualTo(100 + root);
                    collectives.barrier();
                    long[] sum = {rank};
                    collectives.reduce(team.rank() == root ? null : sum, 0, sum, 0, 1, SUM, root);
                    assertThat(sum[0]).isEqualTo(team.rank() == root ? 14 : rank);
                }
            });
        }
    }

    @ParameterizedTest
    @CsvSource({"0000, false", "0123, false", "0012, true", "0101, true"})
    void onlyHostsOfSeveralRanksAreWorthIt(String hosts, boolean worthwhile) {
        try (Ranks ranks = Ranks.onHosts(Ranks.hosts(hosts), DeviceOptions.DEFAULT, UnaryOperator.identity())) {
            ranks.run(team -> {
                assertThat(team.shape().groups()).isEqualTo(worthwhile ? Groups.HOSTS : Groups.NONE);
                Collectives collectives = new Collectives(team, BY_HOSTS);
                for (Operation operation : List.of(Operation.BARRIER, Operation.BCAST, Operation.ALLREDUCE)) {
                    String algorithm = collectives.algorithm(operation, 8, true);
                    assertThat(algorithm.equals("twoLevel")).isEqualTo(worthwhile);
                }
                // the ranks of a host need not follow each other
                assertThat(collectives.algorithm(Operation.ALLREDUCE, 8, false)).isNotEqualTo("twoLevel");
                assertThat(collectives.algorithm(Operation.REDUCE, 8, false)).isNotEqualTo("twoLevel");
            });
        }
    }

    @Test
    void errorsSayOnWhichLevelTheyAre() {
        AtomicInteger betweenHosts = new AtomicInteger();
        try (Ranks ranks = Ranks.onHosts(Ranks.hosts("0011"), DeviceOptions.DEFAULT, UnaryOperator.identity())) {
            ranks.run(team -> {
                if (team.rank() == 2) {
                    team.device().close();
                    return;
                }
                Collectives collectives = new Collectives(team, BY_HOSTS);
                long[] vector = new long[COUNT];
                assertThatExceptionOfType(DeviceException.class)
                        .isThrownBy(() -> collectives.allreduce(null, 0, vector, 0, COUNT, SUM))
                        .withMessageMatching(
                                "rank [0-3] has left the job without its part in this Allreduce; all ranks have to call the"
                                        + " same collectives, and to end after them \\(in Allreduce; algorithm: twoLevel,"
                                        + " (between hosts|inside the host)\\)")
                        .matches(failure -> failure.errorClass() == ErrorClass.PROC_FAILED)
                        .satisfies(failure -> {
                            if (failure.getMessage().contains("between hosts")) {
                                betweenHosts.incrementAndGet();
                            }
                        });
                // whoever waits for this rank learns of the failure by its leaving
                team.device().close();
            });
        }
        assertThat(betweenHosts).hasValue(1);
    }
}
