package org.galerna.bench.model;

import java.util.Arrays;
import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Allgather;
import org.galerna.collectives.algorithm.Allreduce;
import org.galerna.collectives.algorithm.Alltoall;
import org.galerna.collectives.algorithm.Barrier;
import org.galerna.collectives.algorithm.Broadcast;
import org.galerna.collectives.algorithm.Gather;
import org.galerna.collectives.algorithm.Operation;
import org.galerna.collectives.algorithm.Reduce;
import org.galerna.collectives.algorithm.ReduceScatter;
import org.galerna.collectives.algorithm.Scan;
import org.galerna.collectives.algorithm.Scatter;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.reduction.Operator;
import org.galerna.collectives.reduction.PrimitiveReductions;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.collectives.team.Trace;
import org.galerna.collectives.team.TracedTeam;
import org.galerna.link.Collective;

/**
 * A call of one algorithm with one size, in the measure of bytes that the table of decisions has for the operation. The root is
 * rank 0; reductions are sums of {@code double}.
 */
final class TracedCall {
    /** Bytes of a block where the table knows no size, and nobody has said one. */
    private static final int BLOCK_OF_VARYING = 4096;

    private static final Reduction SUM = PrimitiveReductions.of(Operator.SUM, double[].class);

    private final Operation operation;
    private final Algorithm algorithm;
    private final long length;
    private final int count;
    private final Blocks blocks;
    private final Blocks parts;
    private final Object send = new Object();
    private final Object receive = new Object();

    TracedCall(Operation operation, Algorithm algorithm, int ranks, long bytes) {
        this.operation = operation;
        this.algorithm = algorithm;
        length = block(operation, ranks, bytes);
        count = (int) Math.max(1, length / Double.BYTES);
        blocks = Blocks.uniform(length);
        if (operation == Operation.REDUCE_SCATTER) {
            int[] counts = new int[ranks];
            Arrays.setAll(counts, rank -> (int) ((rank + 1L) * count / ranks - (long) rank * count / ranks));
            parts = Blocks.packed(counts, Double.BYTES);
        } else {
            parts = Blocks.NONE;
        }
    }

    /** Bytes of a block, or of the whole vector. */
    static long block(Operation operation, int ranks, long bytes) {
        return switch (operation) {
            case GATHERV, SCATTERV, ALLTOALLV -> bytes == 0 ? BLOCK_OF_VARYING : bytes;
            case ALLGATHER, ALLGATHERV -> Math.max(Double.BYTES, bytes / ranks / Double.BYTES * Double.BYTES);
            default -> bytes;
        };
    }

    /** The job, as one rank sees it, for one call or several. */
    TracedTeam team(TracedTeam.Job job, int rank, Trace trace) {
        return new TracedTeam(job, rank, trace, length);
    }

    /** What one rank does. */
    void run(TracedTeam team) {
        team.begin(operation.call(), algorithm, operation.number(), Collective.NONE, length);
        Reduction sum = team.combining(SUM);
        boolean isRoot = team.rank() == 0;
        switch (algorithm) {
            case Barrier barrier -> barrier.barrier(team);
            case Broadcast broadcast -> broadcast.broadcast(team, receive, 0, length, 0);
            case Gather gather -> gather.gather(team, send, 0, length, receive, 0, blocks, 0);
            case Scatter scatter -> scatter.scatter(team, send, 0, blocks, receive, 0, length, 0);
            case Allgather allgather -> allgather.allgather(team, send, 0, receive, 0, blocks);
            case Alltoall alltoall -> alltoall.alltoall(team, send, 0, blocks, receive, 0, blocks);
            case Reduce reduce -> reduce.reduce(team, send, 0, isRoot ? receive : new Object(), 0, count, sum, 0);
            case Allreduce allreduce -> allreduce.allreduce(team, send, 0, receive, 0, count, sum);
            case ReduceScatter reduceScatter -> reduceScatter.reduceScatter(team, send, 0, parts, receive, 0, sum);
            case Scan scan -> scan.scan(team, send, 0, receive, 0, count, sum, operation == Operation.EXSCAN);
            default -> throw new IllegalStateException("no call of " + algorithm.name());
        }
        team.end();
    }
}
