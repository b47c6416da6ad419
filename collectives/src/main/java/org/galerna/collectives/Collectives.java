package org.galerna.collectives;

import org.galerna.collectives.algorithm.Allreduce;
import org.galerna.collectives.algorithm.Operation;
import org.galerna.collectives.algorithm.Reduce;
import org.galerna.collectives.algorithm.ReduceScatter;
import org.galerna.collectives.algorithm.Scan;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.buffer.Copying;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.collectives.selection.Choice;
import org.galerna.collectives.team.Team;
import org.galerna.link.Collective;
import org.jspecify.annotations.Nullable;

/**
 * The collective operations of one communicator on one rank. All members call the same operations in the same order,
 * with the same root and matching lengths; each uses its object from one thread at a time. A call blocks until the part
 * of this rank is done.
 *
 * <p><b>Buffers</b> are as for {@link org.galerna.device.Device}: primitive arrays other than {@code boolean[]}, or
 * memory segments; offsets and lengths in bytes. Send and receive ranges do not overlap.
 *
 * <p><b>In place.</b> A {@code send} of null means that the input of this rank is already where the output goes: its
 * own block of {@code receive} (gather on the root, allgather), all blocks (alltoall), the vector (reductions). For a
 * scatter the root gives a null {@code receive} to leave its own block where it is. As in MPI, all members of an
 * allgather, an alltoall or a reduction do so or none; where only the root has a choice, the others need not know.
 *
 * <p><b>Size.</b> The table of decisions goes by the bytes of: the buffer (bcast, scan), the vector of a rank (reduce,
 * allreduce, reduceScatter), the block of a rank (gather, scatter, alltoall), all blocks together (allgather,
 * allgatherv). It counts 0 for barrier, gatherv, scatterv and alltoallv, where no size is known to all ranks.
 *
 * <p><b>Results</b> of reductions are the same on all ranks bit for bit, and the same in every run with one algorithm
 * and number of ranks. Non-commutative operations are applied in the order of the ranks.
 *
 * <p><b>Errors.</b> {@link org.galerna.device.DeviceException} if communication fails or if lengths do not match;
 * {@link IllegalArgumentException} and {@link IndexOutOfBoundsException} for arguments.
 */
public final class Collectives extends DataMovement {
    /** Collectives of a team, with algorithms as the {@linkplain CollectiveOptions system properties} say. */
    public Collectives(Team team) {
        this(team, CollectiveOptions.fromSystemProperties());
    }

    /** Collectives of a team; all members must have the same options. */
    public Collectives(Team team, CollectiveOptions options) {
        super(team, options);
    }

    /** The members, as this rank sees them. */
    public Team team() {
        return team;
    }

    /**
     * Name of the algorithm that serves an operation of the given size (see above).
     *
     * @param commutative false for reductions that must be applied in the order of the ranks
     */
    public String algorithm(Operation operation, long bytes, boolean commutative) {
        return algorithms.name(operation, bytes, commutative);
    }

    /**
     * Combines the vectors of all members on the root.
     *
     * @param send vector of this rank; null on the root for "in place"
     * @param receive where the result goes; neither read nor written on other members, where it may be null
     * @param count elements of the vector
     */
    public void reduce(
            @Nullable Object send,
            long sendOffset,
            @Nullable Object receive,
            long receiveOffset,
            int count,
            Reduction reduction,
            int root) {
        check.root(root);
        boolean isRoot = team.rank() == root;
        Object target = isRoot ? ArgumentChecks.given(receive, Operation.REDUCE, "receive") : UNUSED;
        boolean inPlace = isRoot && send == null;
        Object source = inPlace ? target : ArgumentChecks.given(send, Operation.REDUCE, "send");
        long sourceOffset = inPlace ? receiveOffset : sendOffset;
        long bytes = bytes(count, reduction);
        if (count == 0) {
            pass(Operation.REDUCE, root);
            return;
        }
        if (team.size() == 1) {
            Copying.copyUnlessSame(source, sourceOffset, target, receiveOffset, bytes);
            return;
        }
        Reduce algorithm = algorithms.reduces.choose(bytes, reduction.commutative());
        begin(Operation.REDUCE, algorithm, root, bytes);
        algorithm.reduce(team, source, sourceOffset, target, receiveOffset, count, team.combining(reduction), root);
        team.end();
    }

    /** Combines the vectors of all members on all of them; {@code count} elements. */
    public void allreduce(
            @Nullable Object send,
            long sendOffset,
            Object receive,
            long receiveOffset,
            int count,
            Reduction reduction) {
        Object source = send == null ? receive : send;
        long sourceOffset = send == null ? receiveOffset : sendOffset;
        long bytes = bytes(count, reduction);
        if (count == 0) {
            pass(Operation.ALLREDUCE, Collective.NONE);
            return;
        }
        if (team.size() == 1) {
            Copying.copyUnlessSame(source, sourceOffset, receive, receiveOffset, bytes);
            return;
        }
        Allreduce algorithm = algorithms.allreduces.choose(bytes, reduction.commutative());
        begin(Operation.ALLREDUCE, algorithm, Collective.NONE, bytes);
        algorithm.allreduce(team, source, sourceOffset, receive, receiveOffset, count, team.combining(reduction));
        team.end();
    }

    /**
     * Combines the vectors of all members and gives each its part of the result, in the order of the ranks.
     *
     * @param receive where the part of this rank goes; if in place, it holds the whole vector first
     * @param counts elements of each part, the same on all members
     */
    public void reduceScatter(
            @Nullable Object send,
            long sendOffset,
            Object receive,
            long receiveOffset,
            int[] counts,
            Reduction reduction) {
        Object source = send == null ? receive : send;
        long sourceOffset = send == null ? receiveOffset : sendOffset;
        Blocks blocks = Blocks.packed(counts, reduction.elementSize());
        check.blocks(blocks);
        long bytes = blocks.total(team.size());
        if (bytes / reduction.elementSize() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("the counts of reduceScatter add up to "
                    + bytes / reduction.elementSize() + " elements, at most " + Integer.MAX_VALUE + " can be combined");
        }
        if (bytes == 0) {
            pass(Operation.REDUCE_SCATTER, Collective.NONE);
            return;
        }
        if (team.size() == 1) {
            Copying.copyUnlessSame(source, sourceOffset, receive, receiveOffset, bytes);
            return;
        }
        ReduceScatter algorithm = algorithms.reduceScatters.choose(bytes, reduction.commutative());
        begin(Operation.REDUCE_SCATTER, algorithm, Collective.NONE, bytes);
        algorithm.reduceScatter(team, source, sourceOffset, blocks, receive, receiveOffset, team.combining(reduction));
        team.end();
    }

    /** Combines the vectors of the members up to and including this one; {@code count} elements. */
    public void scan(
            @Nullable Object send,
            long sendOffset,
            Object receive,
            long receiveOffset,
            int count,
            Reduction reduction) {
        scan(Operation.SCAN, algorithms.scans, send, sendOffset, receive, receiveOffset, count, reduction);
    }

    /** Combines the vectors of the members before this one; rank 0 keeps what it has in {@code receive}. */
    public void exscan(
            @Nullable Object send,
            long sendOffset,
            Object receive,
            long receiveOffset,
            int count,
            Reduction reduction) {
        scan(Operation.EXSCAN, algorithms.exclusiveScans, send, sendOffset, receive, receiveOffset, count, reduction);
    }

    private void scan(
            Operation operation,
            Choice<Scan> choice,
            @Nullable Object send,
            long sendOffset,
            Object receive,
            long receiveOffset,
            int count,
            Reduction reduction) {
        Object source = send == null ? receive : send;
        long sourceOffset = send == null ? receiveOffset : sendOffset;
        boolean exclusive = operation == Operation.EXSCAN;
        long bytes = bytes(count, reduction);
        if (count == 0) {
            pass(operation, Collective.NONE);
            return;
        }
        if (team.size() == 1) {
            if (!exclusive) {
                Copying.copyUnlessSame(source, sourceOffset, receive, receiveOffset, bytes);
            }
            return;
        }
        Scan algorithm = choice.choose(bytes, reduction.commutative());
        begin(operation, algorithm, Collective.NONE, bytes);
        algorithm.scan(team, source, sourceOffset, receive, receiveOffset, count, team.combining(reduction), exclusive);
        team.end();
    }

    private static long bytes(int count, Reduction reduction) {
        if (count < 0) {
            throw new IllegalArgumentException("a count of " + count + " elements");
        }
        return (long) count * reduction.elementSize();
    }
}
