package org.galerna.bench.tune;

import java.util.Arrays;
import org.galerna.collectives.Collectives;
import org.galerna.collectives.algorithm.Operation;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.reduction.Operator;
import org.galerna.collectives.reduction.PrimitiveReductions;
import org.galerna.collectives.reduction.Reduction;

/**
 * Calls of one collective with one size, in the measure of bytes that the table of decisions has for the operation. The
 * root is rank 0; reductions are sums of {@code double}.
 */
final class TunedCall {
    /** Bytes of a block where the table knows no size. */
    private static final int BLOCK_OF_VARYING = 4096;

    private static final Reduction SUM = PrimitiveReductions.of(Operator.SUM, double[].class);

    private final Operation operation;
    private final int block;
    private final int[] parts;
    private final Blocks blocks;
    private final double[] send;
    private final double[] receive;

    /**
     * Buffers for the calls.
     *
     * @param bytes as the table counts them
     */
    TunedCall(Operation operation, int ranks, long bytes) {
        this.operation = operation;
        this.block = Math.toIntExact(
                switch (operation) {
                    case GATHERV, SCATTERV, ALLTOALLV -> BLOCK_OF_VARYING;
                    case ALLGATHER, ALLGATHERV -> Math.max(Double.BYTES, bytes / ranks / Double.BYTES * Double.BYTES);
                    default -> bytes;
                });
        parts = new int[ranks];
        Arrays.setAll(parts, rank -> (int) ((rank + 1L) * elements() / ranks - (long) rank * elements() / ranks));
        int[] counts = new int[ranks];
        Arrays.fill(counts, block);
        blocks = Blocks.packed(counts, 1);
        int length = isOfAll() ? elements() * ranks : elements();
        send = new double[length];
        receive = new double[length];
    }

    /** Bytes in the arrays of a rank. */
    static long memory(Operation operation, int ranks, long bytes) {
        return switch (operation) {
            case GATHER, SCATTER, ALLTOALL -> 2 * bytes * ranks;
            case GATHERV, SCATTERV, ALLTOALLV -> 2L * BLOCK_OF_VARYING * ranks;
            default -> 2 * bytes;
        };
    }

    private boolean isOfAll() {
        return switch (operation) {
            case GATHER, GATHERV, SCATTER, SCATTERV, ALLGATHER, ALLGATHERV, ALLTOALL, ALLTOALLV -> true;
            default -> false;
        };
    }

    private int elements() {
        return Math.max(1, Math.ceilDiv(block, Double.BYTES));
    }

    void run(Collectives on) {
        switch (operation) {
            case BARRIER -> on.barrier();
            case BCAST -> on.bcast(send, 0, block, 0);
            case GATHER -> on.gather(send, 0, block, receive, 0, 0);
            case GATHERV -> on.gatherv(send, 0, block, receive, 0, blocks, 0);
            case SCATTER -> on.scatter(send, 0, receive, 0, block, 0);
            case SCATTERV -> on.scatterv(send, 0, blocks, receive, 0, block, 0);
            case ALLGATHER -> on.allgather(send, 0, block, receive, 0);
            case ALLGATHERV -> on.allgatherv(send, 0, block, receive, 0, blocks);
            case ALLTOALL -> on.alltoall(send, 0, receive, 0, block);
            case ALLTOALLV -> on.alltoallv(send, 0, blocks, receive, 0, blocks);
            case REDUCE -> on.reduce(send, 0, receive, 0, elements(), SUM, 0);
            case ALLREDUCE -> on.allreduce(send, 0, receive, 0, elements(), SUM);
            case REDUCE_SCATTER -> on.reduceScatter(send, 0, receive, 0, parts, SUM);
            case SCAN -> on.scan(send, 0, receive, 0, elements(), SUM);
            case EXSCAN -> on.exscan(send, 0, receive, 0, elements(), SUM);
        }
    }
}
