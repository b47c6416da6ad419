package org.galerna.collectives;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
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
public final class Collectives {
    /** Takes the place of a buffer that a rank does not use. */
    private static final byte[] UNUSED = new byte[0];

    private final Team team;
    private final Map<Operation, Choice<? extends Algorithm>> choices = new EnumMap<>(Operation.class);
    private final Choice<Barrier> barriers;
    private final Choice<Broadcast> broadcasts;
    private final Choice<Gather> gathers;
    private final Choice<Gather> varyingGathers;
    private final Choice<Scatter> scatters;
    private final Choice<Scatter> varyingScatters;
    private final Choice<Allgather> allgathers;
    private final Choice<Allgather> varyingAllgathers;
    private final Choice<Alltoall> alltoalls;
    private final Choice<Alltoall> varyingAlltoalls;
    private final Choice<Reduce> reduces;
    private final Choice<Allreduce> allreduces;
    private final Choice<ReduceScatter> reduceScatters;
    private final Choice<Scan> scans;
    private final Choice<Scan> exclusiveScans;

    /** The last uniform blocks, so that calls of one size allocate nothing. */
    private Blocks uniform = Blocks.NONE;

    /** Collectives of a team, with algorithms as the {@linkplain CollectiveOptions system properties} say. */
    public Collectives(Team team) {
        this(team, CollectiveOptions.fromSystemProperties());
    }

    /** Collectives of a team; all members must have the same options. */
    public Collectives(Team team, CollectiveOptions options) {
        this.team = team;
        team.name(Operation::callOf);
        barriers = choice(Barrier.class, Operation.BARRIER, options);
        broadcasts = choice(Broadcast.class, Operation.BCAST, options);
        gathers = choice(Gather.class, Operation.GATHER, options);
        varyingGathers = choice(Gather.class, Operation.GATHERV, options);
        scatters = choice(Scatter.class, Operation.SCATTER, options);
        varyingScatters = choice(Scatter.class, Operation.SCATTERV, options);
        allgathers = choice(Allgather.class, Operation.ALLGATHER, options);
        varyingAllgathers = choice(Allgather.class, Operation.ALLGATHERV, options);
        alltoalls = choice(Alltoall.class, Operation.ALLTOALL, options);
        varyingAlltoalls = choice(Alltoall.class, Operation.ALLTOALLV, options);
        reduces = choice(Reduce.class, Operation.REDUCE, options);
        allreduces = choice(Allreduce.class, Operation.ALLREDUCE, options);
        reduceScatters = choice(ReduceScatter.class, Operation.REDUCE_SCATTER, options);
        scans = choice(Scan.class, Operation.SCAN, options);
        exclusiveScans = choice(Scan.class, Operation.EXSCAN, options);
    }

    private <A extends Algorithm> Choice<A> choice(Class<A> type, Operation operation, CollectiveOptions options) {
        Choice<A> choice = Choice.of(
                type, operation, options.forced().get(operation), options.table(), team.deviceInTables(), team.shape());
        choices.put(operation, choice);
        return choice;
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
        return Objects.requireNonNull(choices.get(operation))
                .choose(bytes, commutative)
                .name();
    }

    /** Waits until all members have called it. */
    public void barrier() {
        if (team.size() == 1) {
            return;
        }
        Barrier algorithm = barriers.choose(0);
        begin(Operation.BARRIER, algorithm, Collective.NONE, Collective.NONE);
        algorithm.barrier(team);
        team.end();
    }

    /** Sends {@code length} bytes of the root to all; the same length on all members. */
    public void bcast(Object buffer, long offset, long length, int root) {
        checkRoot(root);
        if (length == 0) {
            pass(Operation.BCAST, root);
            return;
        }
        if (team.size() == 1) {
            return;
        }
        Broadcast algorithm = broadcasts.choose(length);
        begin(Operation.BCAST, algorithm, root, length);
        algorithm.broadcast(team, buffer, offset, length, root);
        team.end();
    }

    /**
     * Collects blocks of {@code length} bytes on the root, in the order of the ranks.
     *
     * @param send the block of this rank; null on the root for "in place"
     * @param receive used on the root only, may be null on others
     */
    public void gather(
            @Nullable Object send,
            long sendOffset,
            long length,
            @Nullable Object receive,
            long receiveOffset,
            int root) {
        gather(Operation.GATHER, gathers, send, sendOffset, length, receive, receiveOffset, uniform(length), root);
    }

    /**
     * Collects blocks of any lengths on the root.
     *
     * @param send the block of this rank; null on the root for "in place"
     * @param length bytes of the block of this rank; ignored if in place
     * @param receive used on the root only, may be null on others
     * @param blocks where the blocks go in {@code receive}; used on the root only, may be null on others
     */
    public void gatherv(
            @Nullable Object send,
            long sendOffset,
            long length,
            @Nullable Object receive,
            long receiveOffset,
            @Nullable Blocks blocks,
            int root) {
        Blocks known = blocksOfRoot(blocks, root);
        gather(Operation.GATHERV, varyingGathers, send, sendOffset, length, receive, receiveOffset, known, root);
    }

    private void gather(
            Operation operation,
            Choice<Gather> choice,
            @Nullable Object send,
            long sendOffset,
            long length,
            @Nullable Object receive,
            long receiveOffset,
            Blocks blocks,
            int root) {
        checkRoot(root);
        int rank = team.rank();
        Object target = UNUSED;
        if (rank == root) {
            target = given(receive, operation, "receive");
            if (send != null) {
                checkOwnBlock(operation, length, blocks.length(rank));
                Copying.copy(send, sendOffset, target, receiveOffset + blocks.offset(rank), length);
            }
        }
        if (operation == Operation.GATHER && length == 0) {
            pass(operation, root);
            return;
        }
        if (team.size() == 1) {
            return;
        }
        Object source = rank == root ? UNUSED : given(send, operation, "send");
        Gather algorithm = choice.choose(operation == Operation.GATHER ? length : 0);
        begin(operation, algorithm, root, operation == Operation.GATHER ? length : Collective.NONE);
        algorithm.gather(team, source, sendOffset, length, target, receiveOffset, blocks, root);
        team.end();
    }

    /**
     * Distributes blocks of {@code length} bytes of the root in the order of the ranks.
     *
     * @param send used on the root only, may be null on others
     * @param receive where the block of this rank goes; null on the root for "in place"
     */
    public void scatter(
            @Nullable Object send,
            long sendOffset,
            @Nullable Object receive,
            long receiveOffset,
            long length,
            int root) {
        scatter(Operation.SCATTER, scatters, send, sendOffset, uniform(length), receive, receiveOffset, length, root);
    }

    /**
     * Distributes blocks of any lengths of the root.
     *
     * @param send used on the root only, may be null on others
     * @param blocks where the blocks are in {@code send}; used on the root only, may be null on others
     * @param receive where the block of this rank goes; null on the root for "in place"
     * @param length bytes of the block of this rank; ignored if in place
     */
    public void scatterv(
            @Nullable Object send,
            long sendOffset,
            @Nullable Blocks blocks,
            @Nullable Object receive,
            long receiveOffset,
            long length,
            int root) {
        Blocks known = blocksOfRoot(blocks, root);
        scatter(Operation.SCATTERV, varyingScatters, send, sendOffset, known, receive, receiveOffset, length, root);
    }

    private void scatter(
            Operation operation,
            Choice<Scatter> choice,
            @Nullable Object send,
            long sendOffset,
            Blocks blocks,
            @Nullable Object receive,
            long receiveOffset,
            long length,
            int root) {
        checkRoot(root);
        int rank = team.rank();
        Object source = UNUSED;
        if (rank == root) {
            source = given(send, operation, "send");
            if (receive != null) {
                checkOwnBlock(operation, length, blocks.length(rank));
                Copying.copy(source, sendOffset + blocks.offset(rank), receive, receiveOffset, length);
            }
        }
        if (operation == Operation.SCATTER && length == 0) {
            pass(operation, root);
            return;
        }
        if (team.size() == 1) {
            return;
        }
        Object target = rank == root ? UNUSED : given(receive, operation, "receive");
        Scatter algorithm = choice.choose(operation == Operation.SCATTER ? length : 0);
        begin(operation, algorithm, root, operation == Operation.SCATTER ? length : Collective.NONE);
        algorithm.scatter(team, source, sendOffset, blocks, target, receiveOffset, length, root);
        team.end();
    }

    /** Collects blocks of {@code length} bytes on all members, in the order of the ranks. */
    public void allgather(@Nullable Object send, long sendOffset, long length, Object receive, long receiveOffset) {
        allgather(Operation.ALLGATHER, allgathers, send, sendOffset, length, receive, receiveOffset, uniform(length));
    }

    /**
     * Collects blocks of any lengths on all members.
     *
     * @param length bytes of the block of this rank; ignored if in place
     * @param blocks where the blocks go in {@code receive}; the same lengths on all members
     */
    public void allgatherv(
            @Nullable Object send, long sendOffset, long length, Object receive, long receiveOffset, Blocks blocks) {
        checkBlocks(blocks);
        allgather(Operation.ALLGATHERV, varyingAllgathers, send, sendOffset, length, receive, receiveOffset, blocks);
    }

    private void allgather(
            Operation operation,
            Choice<Allgather> choice,
            @Nullable Object send,
            long sendOffset,
            long length,
            Object receive,
            long receiveOffset,
            Blocks blocks) {
        int rank = team.rank();
        if (send != null) {
            checkOwnBlock(operation, length, blocks.length(rank));
            Copying.copy(send, sendOffset, receive, receiveOffset + blocks.offset(rank), length);
        }
        long total = blocks.total(team.size());
        if (total == 0) {
            pass(operation, Collective.NONE);
            return;
        }
        if (team.size() == 1) {
            return;
        }
        Allgather algorithm = choice.choose(total);
        begin(operation, algorithm, Collective.NONE, total);
        Object own = send == null ? receive : send;
        long ownOffset = send == null ? receiveOffset + blocks.offset(rank) : sendOffset;
        algorithm.allgather(team, own, ownOffset, receive, receiveOffset, blocks);
        team.end();
    }

    /** Exchanges blocks of {@code length} bytes: block {@code i} goes to rank {@code i}. */
    public void alltoall(@Nullable Object send, long sendOffset, Object receive, long receiveOffset, long length) {
        if (length == 0) {
            pass(Operation.ALLTOALL, Collective.NONE);
            return;
        }
        Blocks blocks = uniform(length);
        alltoall(
                Operation.ALLTOALL, alltoalls.choose(length), send, sendOffset, blocks, receive, receiveOffset, blocks);
    }

    /**
     * Exchanges blocks of any lengths.
     *
     * @param sendBlocks where the block for each rank is in {@code send}; ignored if in place, may be null then
     * @param receiveBlocks where the block from each rank goes in {@code receive}
     */
    public void alltoallv(
            @Nullable Object send,
            long sendOffset,
            @Nullable Blocks sendBlocks,
            Object receive,
            long receiveOffset,
            Blocks receiveBlocks) {
        Blocks outgoing = send == null || sendBlocks == null ? receiveBlocks : sendBlocks;
        checkBlocks(outgoing);
        checkBlocks(receiveBlocks);
        alltoall(
                Operation.ALLTOALLV,
                varyingAlltoalls.choose(0),
                send,
                sendOffset,
                outgoing,
                receive,
                receiveOffset,
                receiveBlocks);
    }

    private void alltoall(
            Operation operation,
            Alltoall algorithm,
            @Nullable Object send,
            long sendOffset,
            Blocks sendBlocks,
            Object receive,
            long receiveOffset,
            Blocks receiveBlocks) {
        int rank = team.rank();
        begin(
                operation,
                algorithm,
                Collective.NONE,
                operation == Operation.ALLTOALL ? receiveBlocks.length(rank) : Collective.NONE);
        if (send == null) {
            if (team.size() > 1) {
                alltoallInPlace(algorithm, receive, receiveOffset, receiveBlocks);
            }
        } else {
            checkOwnBlock(operation, sendBlocks.length(rank), receiveBlocks.length(rank));
            Copying.copy(
                    send,
                    sendOffset + sendBlocks.offset(rank),
                    receive,
                    receiveOffset + receiveBlocks.offset(rank),
                    receiveBlocks.length(rank));
            if (team.size() > 1) {
                algorithm.alltoall(team, send, sendOffset, sendBlocks, receive, receiveOffset, receiveBlocks);
            }
        }
        team.end();
    }

    /** Sends from a copy of the blocks; the blocks are as long in both directions. */
    private void alltoallInPlace(Alltoall algorithm, Object receive, long receiveOffset, Blocks blocks) {
        int size = team.size();
        long[] lengths = new long[size];
        long[] displacements = new long[size];
        long end = 0;
        for (int member = 0; member < size; member++) {
            displacements[member] = end;
            lengths[member] = blocks.length(member);
            end += lengths[member];
        }
        Object copy = team.scratch(end);
        for (int member = 0; member < size; member++) {
            Copying.copy(receive, receiveOffset + blocks.offset(member), copy, displacements[member], lengths[member]);
        }
        Blocks copied = blocks.isUniform() ? blocks : Blocks.of(lengths, displacements);
        algorithm.alltoall(team, copy, 0, copied, receive, receiveOffset, blocks);
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
        checkRoot(root);
        boolean isRoot = team.rank() == root;
        Object target = isRoot ? given(receive, Operation.REDUCE, "receive") : UNUSED;
        boolean inPlace = isRoot && send == null;
        Object source = inPlace ? target : given(send, Operation.REDUCE, "send");
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
        Reduce algorithm = reduces.choose(bytes, reduction.commutative());
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
        Allreduce algorithm = allreduces.choose(bytes, reduction.commutative());
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
        checkBlocks(blocks);
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
        ReduceScatter algorithm = reduceScatters.choose(bytes, reduction.commutative());
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
        scan(Operation.SCAN, scans, send, sendOffset, receive, receiveOffset, count, reduction);
    }

    /** Combines the vectors of the members before this one; rank 0 keeps what it has in {@code receive}. */
    public void exscan(
            @Nullable Object send,
            long sendOffset,
            Object receive,
            long receiveOffset,
            int count,
            Reduction reduction) {
        scan(Operation.EXSCAN, exclusiveScans, send, sendOffset, receive, receiveOffset, count, reduction);
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

    /**
     * Begins an operation.
     *
     * @param root its root, or {@link Collective#NONE}
     * @param bytes its size if all members must agree about it, or {@link Collective#NONE}
     */
    private void begin(Operation operation, Algorithm algorithm, int root, long bytes) {
        team.begin(operation.call(), algorithm.name(), operation.number(), root, bytes);
    }

    /** A call that moves nothing counts all the same: other members may have called something else in its place. */
    private void pass(Operation operation, int root) {
        if (team.size() > 1) {
            team.begin(operation.call(), "", operation.number(), root, 0);
            team.end();
        }
    }

    private Blocks uniform(long length) {
        if (!uniform.isUniform(length)) {
            uniform = Blocks.uniform(length);
        }
        return uniform;
    }

    private static long bytes(int count, Reduction reduction) {
        if (count < 0) {
            throw new IllegalArgumentException("a count of " + count + " elements");
        }
        return (long) count * reduction.elementSize();
    }

    private void checkRoot(int root) {
        if (root < 0 || root >= team.size()) {
            throw new IllegalArgumentException("root " + root + " is not a rank of 0 to " + (team.size() - 1));
        }
    }

    private Blocks blocksOfRoot(@Nullable Blocks blocks, int root) {
        if (team.rank() != root) {
            return Blocks.NONE;
        }
        if (blocks == null) {
            throw new IllegalArgumentException("the root has to say where the blocks of the ranks are");
        }
        checkBlocks(blocks);
        return blocks;
    }

    private void checkBlocks(Blocks blocks) {
        if (!blocks.fits(team.size())) {
            throw new IllegalArgumentException("there must be a block for each of the " + team.size() + " ranks");
        }
    }

    private void checkOwnBlock(Operation operation, long sent, long received) {
        if (sent != received) {
            throw new IllegalArgumentException("rank " + team.rank() + " in " + operation + " has " + sent
                    + " bytes for itself and room for " + received);
        }
    }

    private static Object given(@Nullable Object buffer, Operation operation, String role) {
        if (buffer == null) {
            throw new IllegalArgumentException("the " + role + " buffer of " + operation + " is null");
        }
        return buffer;
    }
}
