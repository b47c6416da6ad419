package org.galerna.bench.galerna;

import java.io.IOException;
import java.util.Random;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Request;
import org.galerna.bench.suite.Answer;
import org.galerna.bench.suite.Command;

/**
 * The benchmarks of package {@code mpi}: those of every level, the collectives, and how much of a transfer goes on behind
 * a computation. A size is what OSU's benchmarks call it: the block of one rank in gather, scatter, allgather and
 * alltoall, the whole vector otherwise. The root is rank 0; iterations follow each other without a barrier.
 */
final class MpiBenchmarks extends Benchmarks {
    private static final int TAG = 1 << 20;

    private final Intracomm world = MPI.COMM_WORLD;
    private final int rank = world.Rank();
    private final int size = world.Size();
    private final MpiMessenger messenger;
    private final ThreadedStream threads;
    private byte[] source = new byte[0];
    private byte[] target = new byte[0];
    private double[] vector = new double[0];
    private double[] result = new double[0];

    MpiBenchmarks(MpiMessenger messenger, int threads) {
        super(messenger);
        this.messenger = messenger;
        this.threads = new ThreadedStream(threads);
    }

    @Override
    public Answer run(Command command) throws IOException {
        return switch (command.benchmark()) {
            case "barrier" -> timed(this::barriers, command);
            case "bcast", "gather", "scatter", "allgather", "alltoall" -> ofBytes(command);
            case "reduce", "allreduce", "reducescatter", "scan" -> ofDoubles(command);
            case "overlap" -> overlap((int) command.bytes(), command.iterations());
            case "rate" -> threads.isMultiple() ? threads.run(command) : super.run(command);
            default -> super.run(command);
        };
    }

    // ---- collectives

    private Answer ofBytes(Command command) {
        long longest = command.bytes() * size;
        // on every rank twice, and room for what the collective itself needs
        long needed = 3 * longest * size;
        if (longest > Integer.MAX_VALUE - 64 || needed > Runtime.getRuntime().maxMemory()) {
            return new Answer.Refused(
                    "blocks of " + command.bytes() + " bytes on " + size + " ranks need more memory than there is");
        }
        if (target.length != longest) {
            source = new byte[(int) longest];
            target = new byte[(int) longest];
            new Random(20260102).nextBytes(source);
        }
        int block = (int) command.bytes();
        Loop loop = switch (command.benchmark()) {
            case "bcast" -> iterations -> bcast(iterations, block);
            case "gather" -> iterations -> gather(iterations, block);
            case "scatter" -> iterations -> scatter(iterations, block);
            case "allgather" -> iterations -> allgather(iterations, block);
            default -> iterations -> alltoall(iterations, block);
        };
        return timed(loop, command);
    }

    private void barriers(int iterations) {
        for (int each = 0; each < iterations; each++) {
            world.Barrier();
        }
    }

    private void bcast(int iterations, int block) {
        for (int each = 0; each < iterations; each++) {
            world.Bcast(source, 0, block, MPI.BYTE, 0);
        }
    }

    private void gather(int iterations, int block) {
        for (int each = 0; each < iterations; each++) {
            world.Gather(source, 0, block, MPI.BYTE, target, 0, block, MPI.BYTE, 0);
        }
    }

    private void scatter(int iterations, int block) {
        for (int each = 0; each < iterations; each++) {
            world.Scatter(source, 0, block, MPI.BYTE, target, 0, block, MPI.BYTE, 0);
        }
    }

    private void allgather(int iterations, int block) {
        for (int each = 0; each < iterations; each++) {
            world.Allgather(source, 0, block, MPI.BYTE, target, 0, block, MPI.BYTE);
        }
    }

    private void alltoall(int iterations, int block) {
        for (int each = 0; each < iterations; each++) {
            world.Alltoall(source, 0, block, MPI.BYTE, target, 0, block, MPI.BYTE);
        }
    }

    private Answer ofDoubles(Command command) {
        if (command.bytes() % Double.BYTES != 0) {
            return new Answer.Refused("a vector of doubles has a multiple of " + Double.BYTES + " bytes");
        }
        if (3 * command.bytes() * size > Runtime.getRuntime().maxMemory()) {
            return new Answer.Refused(
                    "vectors of " + command.bytes() + " bytes on " + size + " ranks need more memory than there is");
        }
        int count = (int) (command.bytes() / Double.BYTES);
        if (vector.length != count) {
            vector = new Random(20260103).doubles(count).toArray();
            result = new double[count];
        }
        Loop loop = switch (command.benchmark()) {
            case "reduce" -> this::reduce;
            case "allreduce" -> this::allreduce;
            case "reducescatter" -> reduceScatter(count);
            default -> this::scan;
        };
        return timed(loop, command);
    }

    private void reduce(int iterations) {
        for (int each = 0; each < iterations; each++) {
            world.Reduce(vector, 0, result, 0, vector.length, MPI.DOUBLE, MPI.SUM, 0);
        }
    }

    private void allreduce(int iterations) {
        for (int each = 0; each < iterations; each++) {
            world.Allreduce(vector, 0, result, 0, vector.length, MPI.DOUBLE, MPI.SUM);
        }
    }

    private Loop reduceScatter(int count) {
        int[] counts = new int[size];
        for (int each = 0; each < size; each++) {
            counts[each] = count / size + (each < count % size ? 1 : 0);
        }
        return iterations -> {
            for (int each = 0; each < iterations; each++) {
                world.Reduce_scatter(vector, 0, result, 0, counts, MPI.DOUBLE, MPI.SUM);
            }
        };
    }

    private void scan(int iterations) {
        for (int each = 0; each < iterations; each++) {
            world.Scan(vector, 0, result, 0, vector.length, MPI.DOUBLE, MPI.SUM);
        }
    }

    // ---- overlap

    /**
     * As OSU's benchmarks of non-blocking operations: the time of an exchange alone, then with a computation as long as
     * that between its start and its end; what the second takes less than both parts one after the other is overlap.
     */
    private Answer overlap(int bytes, int iterations) {
        if (rank > 1) {
            world.Barrier();
            world.Barrier();
            return Answer.of(messenger.maximum(0));
        }
        messenger.prepare(bytes, 1);
        if (source.length < bytes) {
            source = new byte[bytes];
            target = new byte[bytes];
            new Random(20260102).nextBytes(source);
        }
        world.Barrier();
        double alone = exchange(bytes, iterations, 0);
        world.Barrier();
        double both = exchange(bytes, iterations, (long) alone);
        double percent = 100 - Math.max(0, (both - (long) alone) / alone * 100);
        return Answer.of(messenger.maximum(Math.clamp(percent, 0, 100)));
    }

    /** Nanoseconds of an exchange between ranks 0 and 1 with a computation inside. */
    private double exchange(int bytes, int iterations, long computation) {
        int peer = 1 - rank;
        long start = System.nanoTime();
        for (int each = 0; each < iterations; each++) {
            Request receive = world.Irecv(target, 0, bytes, MPI.BYTE, peer, TAG);
            Request send = world.Isend(source, 0, bytes, MPI.BYTE, peer, TAG);
            if (computation > 0) {
                long end = System.nanoTime() + computation;
                while (System.nanoTime() - end < 0) {
                    // this stands for a computation that makes no call
                }
            }
            send.Wait();
            receive.Wait();
        }
        return (double) (System.nanoTime() - start) / iterations;
    }
}
