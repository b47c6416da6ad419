package org.galerna.collectives;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Allreduce;
import org.galerna.collectives.algorithm.Barrier;
import org.galerna.collectives.algorithm.Broadcast;
import org.galerna.collectives.algorithm.Operation;
import org.galerna.collectives.algorithm.Reduce;
import org.galerna.collectives.algorithm.ReduceScatter;
import org.galerna.collectives.algorithm.Scan;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.reduction.Operator;
import org.galerna.collectives.reduction.PrimitiveReductions;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.collectives.selection.Catalogue;
import org.galerna.collectives.team.Trace;
import org.galerna.collectives.team.TracedTeam;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What one rank of very many does where an operation does not need all of them. */
final class ManyRanksTest {
    private static final int SIZE = 131_072;
    private static final int ON_A_HOST = 64;
    private static final int HOSTS = SIZE / ON_A_HOST;
    private static final int LENGTH = 1024;
    private static final Reduction SUM = PrimitiveReductions.of(Operator.SUM, long[].class);

    /** Leaders of hosts and others; the first and the last one too. */
    private static final int[] RANKS = {0, 1, 64 * 1000, 64 * 1000 + 17, SIZE - 64, SIZE - 1};

    /** Counts messages. */
    private static final class Messages implements Trace {
        int count;

        @Override
        public void send(int destination, long bytes) {
            count++;
        }

        @Override
        public void receive(int source, long bytes) {
            count++;
        }

        @Override
        public void told(int lengths) {}

        @Override
        public void await(int number) {}

        @Override
        public void copy(long bytes) {}

        @Override
        public void combine(long bytes) {}
    }

    /** A tree, or hosts, in place of all ranks: neither messages nor memory in a call grow as the ranks do. */
    @ParameterizedTest
    @EnumSource(
            value = Operation.class,
            names = {"BARRIER", "BCAST", "REDUCE", "ALLREDUCE", "REDUCE_SCATTER", "SCAN", "EXSCAN"})
    void noRankDealsWithAll(Operation operation) {
        TracedTeam.Job job = new TracedTeam.Job(SIZE, rank -> rank / ON_A_HOST, rank -> rank / ON_A_HOST);
        Blocks blocks = Blocks.packed(counts(), Long.BYTES);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        List<String> seen = new ArrayList<>();
        for (Algorithm algorithm : Catalogue.algorithms(operation)) {
            if (!algorithm.restrictions().admits(job.shape())
                    || algorithm.cost(SIZE, LENGTH).messages() >= HOSTS) {
                continue;
            }
            seen.add(algorithm.name());
            for (int rank : RANKS) {
                Messages messages = new Messages();
                TracedTeam team = new TracedTeam(job, rank, messages, 0);
                call(team, operation, algorithm, blocks); // makes the teams by hosts
                messages.count = 0;
                long before = threads.getCurrentThreadAllocatedBytes();
                call(team, operation, algorithm, blocks);
                long allocated = threads.getCurrentThreadAllocatedBytes() - before;
                String what = "%s by %s on rank %d".formatted(operation, algorithm.name(), rank);
                assertThat(messages.count).as(what).isLessThan(2 * ON_A_HOST + 64);
                assertThat(allocated).as(what).isLessThan(20L * HOSTS + 16_384);
            }
        }
        assertThat(seen).isNotEmpty();
    }

    private static int[] counts() {
        int[] counts = new int[SIZE];
        counts[0] = LENGTH / Long.BYTES;
        return counts;
    }

    private static void call(TracedTeam team, Operation operation, Algorithm algorithm, Blocks blocks) {
        Object send = new Object();
        Object receive = new Object();
        int count = LENGTH / Long.BYTES;
        team.begin(operation.call(), algorithm, operation.number(), -1, LENGTH);
        Reduction sum = team.combining(SUM);
        switch (algorithm) {
            case Barrier barrier -> barrier.barrier(team);
            case Broadcast broadcast -> broadcast.broadcast(team, send, 0, LENGTH, 0);
            case Reduce reduce -> reduce.reduce(team, send, 0, receive, 0, count, sum, 0);
            case Allreduce allreduce -> allreduce.allreduce(team, send, 0, receive, 0, count, sum);
            case ReduceScatter reduceScatter -> reduceScatter.reduceScatter(team, send, 0, blocks, receive, 0, sum);
            case Scan scan -> scan.scan(team, send, 0, receive, 0, count, sum, operation == Operation.EXSCAN);
            default -> throw new IllegalStateException("no call of " + algorithm.name());
        }
        team.end();
    }
}
